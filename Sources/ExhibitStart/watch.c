#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "exhibit_start.h"

/* A function of ours, registered on the connection, whose destructor SQLite calls exactly once: at the
   connection's real end, also when sqlite3_close_v2 left it behind as a zombie. */
static void nothing(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  sqlite3_result_null(context);
}

#define SPACES " \t\r\n\f\v;"
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* The first word of a statement, behind what SQLite passes over: spaces, comments, a byte order mark, and statements
   without a word. */
static const char *first_word(const char *text) {
  for (;;) {
    text += strspn(text, SPACES);
    if (strncmp(text, BYTE_ORDER_MARK, 3) == 0) {
      text += 3;
      continue;
    }
    const char *end = NULL;
    if (strncmp(text, "--", 2) == 0) end = strchr(text, '\n');
    else if (strncmp(text, "/*", 2) == 0 && (end = strstr(text + 2, "*/"))) end++;
    if (!end) return text;
    text = end + 1;
  }
}

/* Spares most statements the look for their first word. */
static int may_be_attach(const char *text) {
  return strchr("aA-/" SPACES BYTE_ORDER_MARK, *text) != NULL;
}

static int traced(unsigned event, void *connection, void *subject, void *text) {
  if (event == SQLITE_TRACE_CLOSE) {
    exhibit_connection_closing(subject);
    return 0;
  }
  exhibit_connection_used(connection);
  if (text && may_be_attach(text) && strncasecmp(first_word(text), "attach", 6) == 0)
    exhibit_connection_attaching(connection);
  return 0;
}

int exhibit_watch_connection(sqlite3 *db, const void *connection) {
  int code = sqlite3_create_function_v2(
      db, "exhibit_watch_connection", 0, SQLITE_UTF8, db, nothing, NULL, NULL, exhibit_connection_ended);
  /* Where close does not pass through us, its trace is the last look at a connection. */
  unsigned events = SQLITE_TRACE_STMT | (exhibit_is_interposed() ? 0 : SQLITE_TRACE_CLOSE);
  return code == SQLITE_OK ? sqlite3_trace_v2(db, events, traced, (void *)connection) : code;
}
