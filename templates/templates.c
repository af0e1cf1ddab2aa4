#include "exhibit_templates.h"

/* One file for the browser, in parts for the reader: in the order in which they run, which is said here alone. */
static const unsigned char script[] = {
#embed "script/exhibit.js" suffix(,)
#embed "script/roving.js" suffix(,)
#embed "script/tests.js" suffix(,)
#embed "script/query.js" suffix(,)
#embed "script/list.js" suffix(,)
#embed "script/copy.js" suffix(,)
#embed "script/issues.js" suffix(,)
#embed "script/table-filter.js" suffix(,)
#embed "script/timeline.js" suffix(,)
#embed "script/shell-address.js" suffix(,)
#embed "script/shell-chosen.js" suffix(,)
#embed "script/shell-neighbours.js" suffix(,)
#embed "script/shell-list.js" suffix(,)
#embed "script/shell-search.js" suffix(,)
#embed "script/keyboard.js" suffix(,)
#embed "script/sql-engine.js" suffix(,)
#embed "script/sql-connection.js" suffix(,)
#embed "script/sql-pages.js" suffix(,)
#embed "script/sql-wal.js" suffix(,)
#embed "script/csv.js" suffix(,)
#embed "script/sql-result.js" suffix(,)
#embed "script/place.js" suffix(,)
#embed "script/cell.js" suffix(,)
#embed "script/property-list.js" suffix(,)
#embed "script/rows.js" suffix(,)
#embed "script/filter.js" suffix(,)
#embed "script/cell-view.js" suffix(,)
#embed "script/cell-panel.js" suffix(,)
#embed "script/marks.js" suffix(,)
#embed "script/grid.js" suffix(,)
#embed "script/grid-columns.js" suffix(,)
#embed "script/grid-keys.js" suffix(,)
#embed "script/table-rows.js" suffix(,)
#embed "script/browser-parts.js" suffix(,)
#embed "script/states.js" suffix(,)
#embed "script/time.js" suffix(,)
#embed "script/time-sql.js" suffix(,)
#embed "script/beside.js" suffix(,)
#embed "script/sql-box.js" suffix(,)
#embed "script/browser.js" suffix(,)
#embed "script/browser-search.js" suffix(,)
#embed "script/values.js" suffix(,)
#embed "script/compare.js" suffix(,)
    0
};
/* Of the page of trends, which is a file of its own. */
static const unsigned char history_script[] = {
#embed "script/history.js" suffix(,)
    0
};
static const unsigned char style_sheet[] = {
#embed "style/ground.css" suffix(,)
#embed "style/bar.css" suffix(,)
#embed "style/shell.css" suffix(,)
#embed "style/index.css" suffix(,)
#embed "style/list.css" suffix(,)
#embed "style/test.css" suffix(,)
#embed "style/past.css" suffix(,)
#embed "style/message.css" suffix(,)
#embed "style/tables.css" suffix(,)
#embed "style/story.css" suffix(,)
#embed "style/findings.css" suffix(,)
#embed "style/grid.css" suffix(,)
#embed "style/time.css" suffix(,)
#embed "style/compare.css" suffix(,)
#embed "style/sql.css" suffix(,)
#embed "style/media.css" suffix(,)
    0
};

static const unsigned char history_style_sheet[] = {
#embed "style/ground.css" suffix(,)
#embed "style/bar.css" suffix(,)
#embed "style/index.css" suffix(,)
#embed "style/past.css" suffix(,)
#embed "style/history.css" suffix(,)
#embed "style/media.css" suffix(,)
    0
};

static const struct exhibit_template files[] = {
#define FILE "page.mustache"
#include "template.h"
#define FILE "index.mustache"
#include "template.h"
#define FILE "test.mustache"
#include "template.h"
#define FILE "test-page.mustache"
#include "template.h"
#define FILE "shared-page.mustache"
#include "template.h"
#define FILE "compare.mustache"
#include "template.h"
#define FILE "failures-page.mustache"
#include "template.h"
#define FILE "glance.mustache"
#include "template.h"
#define FILE "failures.mustache"
#include "template.h"
#define FILE "failure.mustache"
#include "template.h"
#define FILE "story.mustache"
#include "template.h"
#define FILE "pass.mustache"
#include "template.h"
#define FILE "pass-row.mustache"
#include "template.h"
#define FILE "hunk.mustache"
#include "template.h"
#define FILE "pieces.mustache"
#include "template.h"
#define FILE "why.mustache"
#include "template.h"
#define FILE "code-lines.mustache"
#include "template.h"
#define FILE "code-line.mustache"
#include "template.h"
#define FILE "story-steps.mustache"
#include "template.h"
#define FILE "story-values.mustache"
#include "template.h"
#define FILE "story-item.mustache"
#include "template.h"
#define FILE "story-left-out.mustache"
#include "template.h"
#define FILE "story-group.mustache"
#include "template.h"
#define FILE "story-entry.mustache"
#include "template.h"
#define FILE "step-link.mustache"
#include "template.h"
#define FILE "set-up-page.mustache"
#include "template.h"
#define FILE "story-step.mustache"
#include "template.h"
#define FILE "story-rows.mustache"
#include "template.h"
#define FILE "findings.mustache"
#include "template.h"
#define FILE "finding.mustache"
#include "template.h"
#define FILE "row.mustache"
#include "template.h"
#define FILE "remark.mustache"
#include "template.h"
#define FILE "outcome.mustache"
#include "template.h"
#define FILE "name.mustache"
#include "template.h"
#define FILE "place.mustache"
#include "template.h"
#define FILE "past.mustache"
#include "template.h"
#define FILE "durations.mustache"
#include "template.h"
#define FILE "commit.mustache"
#include "template.h"
#define FILE "history-page.mustache"
#include "template.h"
#define FILE "trends.mustache"
#include "template.h"
#define FILE "trend-list.mustache"
#include "template.h"
#define FILE "trend-row.mustache"
#include "template.h"
#define FILE "mark.mustache"
#include "template.h"
#define FILE "heading.mustache"
#include "template.h"
#define FILE "highlight.mustache"
#include "template.h"
#define FILE "value.mustache"
#include "template.h"
#define FILE "links.mustache"
#include "template.h"
#define FILE "issue.mustache"
#include "template.h"
#define FILE "diff.mustache"
#include "template.h"
#define FILE "excerpt.mustache"
#include "template.h"
#define FILE "evidence.mustache"
#include "template.h"
#define FILE "database.mustache"
#include "template.h"
#define FILE "changes.mustache"
#include "template.h"
#define FILE "table.mustache"
#include "template.h"
#define FILE "archive.mustache"
#include "template.h"
#define FILE "states.mustache"
#include "template.h"
#define FILE "crash.mustache"
#include "template.h"
#define FILE "comparison.mustache"
#include "template.h"
#define FILE "sql.mustache"
#include "template.h"
#define FILE "output.mustache"
#include "template.h"
#define FILE "properties.mustache"
#include "template.h"
#define FILE "attempts.mustache"
#include "template.h"
#define FILE "timeline.mustache"
#include "template.h"
#define FILE "recorded.mustache"
#include "template.h"
    {"report.js", script},
    {"report.css", style_sheet},
    {"history.js", history_script},
    {"history.css", history_style_sheet},
};

const struct exhibit_template *exhibit_templates(size_t *count) {
  *count = sizeof files / sizeof files[0];
  return files;
}
