/* expanded SEED COUNT: prepares so many random texts, binds random values in random ways, and compares the text with
   values that Exhibit puts together with SQLite's. Prints every difference, and last how many texts Exhibit put together. */
#include "../../../Sources/ExhibitStart/Trace/values.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXTS 24
#define LONGEST 200

static unsigned long long random_state;

static unsigned random_below(unsigned limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)((random_state >> 11) % limit);
}

static const char *const terms[] = {
    "?", "?", "?", "?", "(?)", "? + ?", "?||'x'", "max(?, ?)", "'it''s ?'", "1 AS \"a ? b\"", "1 AS [c ?]", "1 AS `d``?`",
    "1 AS \"q?\"\"r\"", "1 AS \xC3\xA9", "?1", "?2", ":name", "@p", "$v::w(x)", "/* ? */ 1", "-- ?\n 1", "x'3F'", "1e5", "?\n",
};

static void make_text(char *text, size_t room) {
  size_t count = (size_t)snprintf(text, room, "SELECT ");
  for (unsigned left = 1 + random_below(5); left > 0; left--) {
    unsigned most = sizeof terms / sizeof *terms;
    const char *term = terms[random_below(random_below(2) ? 8 : most)];
    count += (size_t)snprintf(text + count, room - count, "%s%s", term, left > 1 ? ", " : "");
  }
}

static sqlite3_int64 some_integer(void) {
  static const sqlite3_int64 extremes[] = {0, 1, -1, INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX};
  if (random_below(3) == 0) return extremes[random_below(7)];
  sqlite3_int64 value = (sqlite3_int64)(random_state >> random_below(63));
  return random_below(2) ? value : -value;
}

static double some_real(void) {
  static const double extremes[] = {0, -0.0, 1e-4, 1e-5, 1e-6, 5e-7, 0.1, 1e8, 1e15, 1e16, 1e300, 5e-324, -1e-3};
  double real;
  sqlite3_int64 bits = some_integer();
  switch (random_below(5)) {
    case 0: return extremes[random_below(13)];
    case 1: memcpy(&real, &bits, sizeof real); return real;
    case 2: return (double)(bits % 100000) / 1000;
    case 3: return (double)(bits % 1000) / 1e6;
    default: return (double)bits;
  }
}

/* Texts that stay where they are. */
static char lasting[TEXTS][LONGEST];

static void make_texts(void) {
  static const char *const pieces[] = {"a", "it's", "''", "\n", "?", "\xC3\xA9", "\xF0\x9F\x98\x80", "0123456789", ""};
  for (int i = 0; i < TEXTS; i++) {
    lasting[i][0] = 0;
    for (unsigned left = random_below(16); left > 0; left--) strcat(lasting[i], pieces[random_below(9)]);
  }
}

static int bind_text(sqlite3_stmt *statement, int parameter) {
  const char *text = lasting[random_below(TEXTS)];
  void (*end)(void *) = random_below(2) ? SQLITE_STATIC : SQLITE_TRANSIENT;
  int count = random_below(2) ? -1 : (int)strlen(text);
  char copy[LONGEST];
  switch (random_below(5)) {
    case 0: return sqlite3_bind_text(statement, parameter, NULL, count, end);
    case 1: return sqlite3_bind_text(statement, parameter, "a\0b", 3, end);
    case 2: return sqlite3_bind_text64(statement, parameter, text, strlen(text), end, SQLITE_UTF8);
    case 3:
      strcpy(copy, text);
      int code = sqlite3_bind_text(statement, parameter, copy, count, SQLITE_TRANSIENT);
      memset(copy, '!', sizeof copy);
      return code;
    default: return sqlite3_bind_text(statement, parameter, text, count, end);
  }
}

static int bind(sqlite3_stmt *statement, int parameter) {
  switch (random_below(12)) {
    case 0: return sqlite3_bind_null(statement, parameter);
    case 1: return sqlite3_bind_blob(statement, parameter, "\0\xFF?", 3, SQLITE_STATIC);
    case 2: return sqlite3_bind_zeroblob(statement, parameter, 2);
    case 3: return sqlite3_bind_int(statement, parameter, (int)some_integer());
    case 4:
    case 5: return sqlite3_bind_int64(statement, parameter, some_integer());
    case 6:
    case 7: return sqlite3_bind_double(statement, parameter, some_real());
    default: return bind_text(statement, parameter);
  }
}

static int known, differences;

static void compare(sqlite3_stmt *statement) {
  static struct payload payload;
  exhibit_payload_begin(&payload);
  const char *text = sqlite3_sql(statement);
  if (!exhibit_put_expanded(&payload, statement, text)) return;
  known++;
  char *expected = sqlite3_expanded_sql(statement);
  uint32_t count;
  memcpy(&count, payload.bytes, sizeof count);
  if (!expected || count != payload.count - sizeof count || count != strlen(expected) ||
      memcmp(payload.bytes + sizeof count, expected, count) != 0) {
    differences++;
    printf("%s\n  is     %.*s\n  and is %s\n", expected ? expected : "NULL", (int)count, payload.bytes + sizeof count, text);
  }
  sqlite3_free(expected);
}

/* What an app does with one statement. */
static void use(sqlite3_stmt *statement, sqlite3_stmt *other) {
  for (int turns = 1 + (int)random_below(4); turns > 0; turns--) {
    int parameters = sqlite3_bind_parameter_count(statement);
    for (int i = 0; i <= parameters + 1; i++) {
      if (random_below(10) == 0) continue;
      bind(statement, i);
    }
    if (random_below(12) == 0) sqlite3_clear_bindings(statement);
    if (random_below(12) == 0) sqlite3_transfer_bindings(other, statement);
    compare(statement);
    sqlite3_step(statement);
    /* It runs: SQLite refuses them. */
    if (parameters && random_below(4) == 0) bind(statement, 1);
    compare(statement);
    sqlite3_reset(statement);
  }
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  random_state = strtoull(arguments[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
  sqlite3 *db;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 70;
  if (random_below(2)) sqlite3_exec(db, "PRAGMA encoding = 'UTF-16'", NULL, NULL, NULL);
  sqlite3_exec(db, "CREATE TABLE t(a)", NULL, NULL, NULL);
  make_texts();
  for (int left = atoi(arguments[2]); left > 0; left--) {
    char text[1024];
    make_text(text, sizeof text);
    sqlite3_stmt *statement = NULL, *other = NULL;
    sqlite3_prepare_v2(db, text, -1, &statement, NULL);
    sqlite3_prepare_v2(db, text, -1, &other, NULL);
    if (statement && other) {
      for (int i = 1; i <= sqlite3_bind_parameter_count(other); i++) bind(other, i);
      use(statement, other);
    }
    sqlite3_finalize(other);
    sqlite3_finalize(statement);
  }
  sqlite3_close(db);
  printf("%d put together\n", known);
  return differences > 0;
}
