#pragma once
#include "exhibit_libpq.h"

/* libpq is loaded when a history on a server is asked for: nobody else needs it. */

#define EXHIBIT_POSTGRESQL_FUNCTIONS(F) \
  F(PQconnectStartParams) \
  F(PQconnectPoll) \
  F(PQfinish) \
  F(PQstatus) \
  F(PQerrorMessage) \
  F(PQserverVersion) \
  F(PQsocket) \
  F(PQsetnonblocking) \
  F(PQsetNoticeProcessor) \
  F(PQsendQuery) \
  F(PQsendQueryParams) \
  F(PQsetSingleRowMode) \
  F(PQflush) \
  F(PQconsumeInput) \
  F(PQisBusy) \
  F(PQgetResult) \
  F(PQclear) \
  F(PQresultStatus) \
  F(PQresultErrorField) \
  F(PQntuples) \
  F(PQnfields) \
  F(PQgetisnull) \
  F(PQgetlength) \
  F(PQgetvalue)

typedef struct {
#define EXHIBIT_DECLARE(name) __typeof__(name) *_Nonnull name;
  EXHIBIT_POSTGRESQL_FUNCTIONS(EXHIBIT_DECLARE)
#undef EXHIBIT_DECLARE
} exhibit_postgresql_functions;

/* Finds the functions in the system's libpq. Returns NULL when all are there, else what is wrong. */
const char *_Nullable exhibit_postgresql_load(exhibit_postgresql_functions *_Nonnull functions);

/* Takes a server's notices, which libpq prints otherwise. */
void exhibit_postgresql_ignore(void *_Nullable context, const char *_Nullable notice);
