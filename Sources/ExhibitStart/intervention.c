#define _GNU_SOURCE
#include "intervention.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exhibit_intervention.h"
#include "exhibit_start.h"
#include "interpose.h"

/* NULL outside of experiments. */
static exhibit_intervention *current;
static const char *first, *second;

static int is_whole(const exhibit_intervention *head, size_t size) {
  if (memcmp(head->magic, EXHIBIT_INTERVENTION_MAGIC, sizeof head->magic) != 0) return 0;
  size_t texts = (size_t)head->first_size + head->second_size + 2;
  if (size - sizeof *head != texts) return 0;
  const char *text = (const char *)(head + 1);
  return strlen(text) == head->first_size && strlen(text + head->first_size + 1) == head->second_size;
}

void exhibit_read_intervention(void) {
  const char *path = getenv(EXHIBIT_INTERVENTION);
  if (!path) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  void *map = MAP_FAILED;
  size_t size = 0;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size > sizeof *current &&
      (size_t)status.st_size <= exhibit_intervention_limit) {
    size = (size_t)status.st_size;
    map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (map == MAP_FAILED) return;
  /* Only this makes the texts C strings. */
  if (((const char *)map)[size - 1] != 0 || !is_whole(map, size)) {
    munmap(map, size);
    return;
  }
  current = map;
  first = (const char *)(current + 1);
  second = first + current->first_size + 1;
}

static int is_of(enum exhibit_intervention_kind kind) { return current && current->kind == kind; }

static const char *text_of(enum exhibit_intervention_kind kind, sqlite3_stmt *statement) {
  if (!is_of(kind)) return NULL;
  const char *sql = exhibit_sql(statement);
  return sql && strcmp(sql, first) == 0 ? second : NULL;
}

const char *exhibit_text_for(sqlite3_stmt *statement) { return text_of(exhibit_changes_statement, statement); }
const char *exhibit_text_before(sqlite3_stmt *statement) { return text_of(exhibit_runs_before, statement); }

int exhibit_is_left_out(sqlite3_stmt *statement) {
  static uint32_t runs;
  if (!text_of(exhibit_leaves_out, statement) || sqlite3_stmt_busy(statement)) return 0;
  if (__atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED) != current->run) return 0;
  exhibit_count_applied();
  return 1;
}

const char *exhibit_app_text(const char *sql) {
  return is_of(exhibit_changes_statement) && sql && strcmp(sql, second) == 0 ? first : sql;
}

/* An app reads its own text where an experiment changed the statement. */
INTERPOSE(const char *, sqlite3_sql, (sqlite3_stmt *statement)) { return exhibit_app_text(exhibit_sql(statement)); }

const char *exhibit_sql(sqlite3_stmt *statement) { return NEXT(sqlite3_sql)(statement); }

void exhibit_note_stepped(sqlite3_stmt *statement, int code) {
  if (!is_of(exhibit_changes_statement) || (code != SQLITE_ROW && code != SQLITE_DONE)) return;
  const char *sql = statement ? exhibit_sql(statement) : NULL;
  if (!sql || strcmp(sql, second) != 0) return;
  if (code == SQLITE_ROW) {
    __atomic_fetch_add(&current->rows, 1, __ATOMIC_RELAXED);
  } else if (!sqlite3_stmt_readonly(statement)) {
    __atomic_fetch_add(&current->written, (uint64_t)sqlite3_changes(sqlite3_db_handle(statement)), __ATOMIC_RELAXED);
  }
}

const char *exhibit_connection_setting(void) {
  return is_of(exhibit_sets_connection) ? second : NULL;
}

void exhibit_count_applied(void) { __atomic_fetch_add(&current->applied, 1, __ATOMIC_RELAXED); }
void exhibit_count_refused(void) { __atomic_fetch_add(&current->refused, 1, __ATOMIC_RELAXED); }

void exhibit_apply(sqlite3 *db, const char *text) {
  exhibit_begin_own_work();
  int code = sqlite3_exec(db, text, NULL, NULL, NULL);
  exhibit_end_own_work();
  if (code == SQLITE_OK) exhibit_count_applied();
  else exhibit_count_refused();
}
