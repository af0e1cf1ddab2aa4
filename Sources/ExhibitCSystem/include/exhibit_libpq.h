#pragma once

/* What is used of libpq, so that building needs none of its headers: libpq-fe.h of libpq 5, whose ABI is stable. Its
   enumerations are passed as int. A test compiles this file together with that header. */

#ifdef LIBPQ_FE_H
#define EXHIBIT_PQ_ENUM(name) name
#else
#define EXHIBIT_PQ_ENUM(name) int
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef void (*PQnoticeProcessor)(void *, const char *);
#endif

#define EXHIBIT_PQ_CONNECTION_BAD 1
#define EXHIBIT_PQ_POLLING_FAILED 0
#define EXHIBIT_PQ_POLLING_READING 1
#define EXHIBIT_PQ_POLLING_OK 3
#define EXHIBIT_PQ_COMMAND_OK 1
#define EXHIBIT_PQ_TUPLES_OK 2
#define EXHIBIT_PQ_SINGLE_TUPLE 9
/* 'C' and 'M'; Swift takes no characters. */
#define EXHIBIT_PQ_FIELD_STATE 67
#define EXHIBIT_PQ_FIELD_MESSAGE 77

/* Types of parameters, of the server's pg_type.dat. */
#define EXHIBIT_PQ_BYTEA 17
#define EXHIBIT_PQ_INT8 20
#define EXHIBIT_PQ_TEXT 25
#define EXHIBIT_PQ_FLOAT8 701

PGconn *PQconnectStartParams(const char *const *keywords, const char *const *values, int expand_dbname);
EXHIBIT_PQ_ENUM(PostgresPollingStatusType) PQconnectPoll(PGconn *);
void PQfinish(PGconn *);
EXHIBIT_PQ_ENUM(ConnStatusType) PQstatus(const PGconn *);
char *PQerrorMessage(const PGconn *);
int PQserverVersion(const PGconn *);
int PQsocket(const PGconn *);
int PQsetnonblocking(PGconn *, int on);
PQnoticeProcessor PQsetNoticeProcessor(PGconn *, PQnoticeProcessor, void *);
int PQsendQuery(PGconn *, const char *sql);
int PQsendQueryParams(PGconn *, const char *sql, int count, const Oid *types, const char *const *values,
                      const int *lengths, const int *formats, int result_format);
int PQsetSingleRowMode(PGconn *);
int PQflush(PGconn *);
int PQconsumeInput(PGconn *);
int PQisBusy(PGconn *);
PGresult *PQgetResult(PGconn *);
void PQclear(PGresult *);
EXHIBIT_PQ_ENUM(ExecStatusType) PQresultStatus(const PGresult *);
char *PQresultErrorField(const PGresult *, int field);
int PQntuples(const PGresult *);
int PQnfields(const PGresult *);
int PQgetisnull(const PGresult *, int row, int column);
int PQgetlength(const PGresult *, int row, int column);
char *PQgetvalue(const PGresult *, int row, int column);
