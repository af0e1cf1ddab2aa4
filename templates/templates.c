#include "exhibit_templates.h"

#define EMBEDDED(name, file) {file, name, sizeof name}

static const unsigned char page[] = {
#embed "page.mustache"
};
static const unsigned char index_page[] = {
#embed "index.mustache"
};
static const unsigned char test[] = {
#embed "test.mustache"
};
static const unsigned char test_page[] = {
#embed "test-page.mustache"
};
static const unsigned char shared_page[] = {
#embed "shared-page.mustache"
};
static const unsigned char failure[] = {
#embed "failure.mustache"
};
static const unsigned char failures[] = {
#embed "failures.mustache"
};
static const unsigned char glance[] = {
#embed "glance.mustache"
};
static const unsigned char compare[] = {
#embed "compare.mustache"
};
static const unsigned char failures_page[] = {
#embed "failures-page.mustache"
};
static const unsigned char states[] = {
#embed "states.mustache"
};
static const unsigned char story[] = {
#embed "story.mustache"
};
static const unsigned char pass[] = {
#embed "pass.mustache"
};
static const unsigned char pass_row[] = {
#embed "pass-row.mustache"
};
static const unsigned char pieces[] = {
#embed "pieces.mustache"
};
static const unsigned char why[] = {
#embed "why.mustache"
};
static const unsigned char code_lines[] = {
#embed "code-lines.mustache"
};
static const unsigned char code_line[] = {
#embed "code-line.mustache"
};
static const unsigned char story_steps[] = {
#embed "story-steps.mustache"
};
static const unsigned char story_values[] = {
#embed "story-values.mustache"
};
static const unsigned char story_item[] = {
#embed "story-item.mustache"
};
static const unsigned char story_group[] = {
#embed "story-group.mustache"
};
static const unsigned char story_entry[] = {
#embed "story-entry.mustache"
};
static const unsigned char step_link[] = {
#embed "step-link.mustache"
};
static const unsigned char set_up_page[] = {
#embed "set-up-page.mustache"
};
static const unsigned char story_step[] = {
#embed "story-step.mustache"
};
static const unsigned char story_rows[] = {
#embed "story-rows.mustache"
};
static const unsigned char findings[] = {
#embed "findings.mustache"
};
static const unsigned char finding[] = {
#embed "finding.mustache"
};
static const unsigned char row[] = {
#embed "row.mustache"
};
static const unsigned char remark[] = {
#embed "remark.mustache"
};
static const unsigned char outcome[] = {
#embed "outcome.mustache"
};
static const unsigned char name[] = {
#embed "name.mustache"
};
static const unsigned char place[] = {
#embed "place.mustache"
};
static const unsigned char past[] = {
#embed "past.mustache"
};
static const unsigned char history_page[] = {
#embed "history-page.mustache"
};
static const unsigned char trends[] = {
#embed "trends.mustache"
};
static const unsigned char trend_list[] = {
#embed "trend-list.mustache"
};
static const unsigned char trend_row[] = {
#embed "trend-row.mustache"
};
static const unsigned char mark[] = {
#embed "mark.mustache"
};
static const unsigned char heading[] = {
#embed "heading.mustache"
};
static const unsigned char value[] = {
#embed "value.mustache"
};
static const unsigned char links[] = {
#embed "links.mustache"
};
static const unsigned char issue[] = {
#embed "issue.mustache"
};
static const unsigned char diff[] = {
#embed "diff.mustache"
};
static const unsigned char excerpt[] = {
#embed "excerpt.mustache"
};
static const unsigned char evidence[] = {
#embed "evidence.mustache"
};
static const unsigned char database[] = {
#embed "database.mustache"
};
static const unsigned char table[] = {
#embed "table.mustache"
};
static const unsigned char archive[] = {
#embed "archive.mustache"
};
static const unsigned char crash[] = {
#embed "crash.mustache"
};
static const unsigned char comparison[] = {
#embed "comparison.mustache"
};
static const unsigned char changes[] = {
#embed "changes.mustache"
};
static const unsigned char sql[] = {
#embed "sql.mustache"
};
static const unsigned char output[] = {
#embed "output.mustache"
};
static const unsigned char properties[] = {
#embed "properties.mustache"
};
static const unsigned char attempts[] = {
#embed "attempts.mustache"
};
static const unsigned char timeline[] = {
#embed "timeline.mustache"
};
static const unsigned char recorded[] = {
#embed "recorded.mustache"
};
/* One file for the browser, in parts for the reader: in the order in which they run, which is said here alone. */
static const unsigned char script[] = {
#embed "script/exhibit.js"
    ,
#embed "script/tests.js"
    ,
#embed "script/query.js"
    ,
#embed "script/list.js"
    ,
#embed "script/copy.js"
    ,
#embed "script/issues.js"
    ,
#embed "script/timeline.js"
    ,
#embed "script/shell-address.js"
    ,
#embed "script/shell-chosen.js"
    ,
#embed "script/shell-neighbours.js"
    ,
#embed "script/shell-list.js"
    ,
#embed "script/shell-search.js"
    ,
#embed "script/keyboard.js"
    ,
#embed "script/sql-engine.js"
    ,
#embed "script/sql-connection.js"
    ,
#embed "script/sql-pages.js"
    ,
#embed "script/sql-wal.js"
    ,
#embed "script/csv.js"
    ,
#embed "script/sql-result.js"
    ,
#embed "script/place.js"
    ,
#embed "script/cell.js"
    ,
#embed "script/rows.js"
    ,
#embed "script/filter.js"
    ,
#embed "script/cell-view.js"
    ,
#embed "script/cell-panel.js"
    ,
#embed "script/marks.js"
    ,
#embed "script/grid.js"
    ,
#embed "script/grid-columns.js"
    ,
#embed "script/grid-keys.js"
    ,
#embed "script/row-order.js"
    ,
#embed "script/row-text.js"
    ,
#embed "script/browser-parts.js"
    ,
#embed "script/states.js"
    ,
#embed "script/time.js"
    ,
#embed "script/time-sql.js"
    ,
#embed "script/beside.js"
    ,
#embed "script/sql-box.js"
    ,
#embed "script/browser.js"
    ,
#embed "script/browser-search.js"
    ,
#embed "script/values.js"
    ,
#embed "script/compare.js"
};
/* Of the page of trends, which is a file of its own. */
static const unsigned char history_script[] = {
#embed "script/history.js"
};
static const unsigned char style_sheet[] = {
#embed "style/ground.css"
    ,
#embed "style/bar.css"
    ,
#embed "style/shell.css"
    ,
#embed "style/index.css"
    ,
#embed "style/list.css"
    ,
#embed "style/test.css"
    ,
#embed "style/past.css"
    ,
#embed "style/message.css"
    ,
#embed "style/tables.css"
    ,
#embed "style/story.css"
    ,
#embed "style/findings.css"
    ,
#embed "style/grid.css"
    ,
#embed "style/time.css"
    ,
#embed "style/compare.css"
    ,
#embed "style/sql.css"
    ,
#embed "style/media.css"
};

static const unsigned char history_style_sheet[] = {
#embed "style/ground.css"
    ,
#embed "style/bar.css"
    ,
#embed "style/index.css"
    ,
#embed "style/past.css"
    ,
#embed "style/history.css"
    ,
#embed "style/media.css"
};

static const struct exhibit_template files[] = {
    EMBEDDED(page, "page.mustache"),
    EMBEDDED(index_page, "index.mustache"),
    EMBEDDED(test, "test.mustache"),
    EMBEDDED(test_page, "test-page.mustache"),
    EMBEDDED(shared_page, "shared-page.mustache"),
    EMBEDDED(compare, "compare.mustache"),
    EMBEDDED(failures_page, "failures-page.mustache"),
    EMBEDDED(glance, "glance.mustache"),
    EMBEDDED(failures, "failures.mustache"),
    EMBEDDED(failure, "failure.mustache"),
    EMBEDDED(story, "story.mustache"),
    EMBEDDED(pass, "pass.mustache"),
    EMBEDDED(pass_row, "pass-row.mustache"),
    EMBEDDED(pieces, "pieces.mustache"),
    EMBEDDED(why, "why.mustache"),
    EMBEDDED(code_lines, "code-lines.mustache"),
    EMBEDDED(code_line, "code-line.mustache"),
    EMBEDDED(story_steps, "story-steps.mustache"),
    EMBEDDED(story_values, "story-values.mustache"),
    EMBEDDED(story_item, "story-item.mustache"),
    EMBEDDED(story_group, "story-group.mustache"),
    EMBEDDED(story_entry, "story-entry.mustache"),
    EMBEDDED(step_link, "step-link.mustache"),
    EMBEDDED(set_up_page, "set-up-page.mustache"),
    EMBEDDED(story_step, "story-step.mustache"),
    EMBEDDED(story_rows, "story-rows.mustache"),
    EMBEDDED(findings, "findings.mustache"),
    EMBEDDED(finding, "finding.mustache"),
    EMBEDDED(row, "row.mustache"),
    EMBEDDED(remark, "remark.mustache"),
    EMBEDDED(outcome, "outcome.mustache"),
    EMBEDDED(name, "name.mustache"),
    EMBEDDED(place, "place.mustache"),
    EMBEDDED(past, "past.mustache"),
    EMBEDDED(history_page, "history-page.mustache"),
    EMBEDDED(trends, "trends.mustache"),
    EMBEDDED(trend_list, "trend-list.mustache"),
    EMBEDDED(trend_row, "trend-row.mustache"),
    EMBEDDED(mark, "mark.mustache"),
    EMBEDDED(heading, "heading.mustache"),
    EMBEDDED(value, "value.mustache"),
    EMBEDDED(links, "links.mustache"),
    EMBEDDED(issue, "issue.mustache"),
    EMBEDDED(diff, "diff.mustache"),
    EMBEDDED(excerpt, "excerpt.mustache"),
    EMBEDDED(evidence, "evidence.mustache"),
    EMBEDDED(database, "database.mustache"),
    EMBEDDED(changes, "changes.mustache"),
    EMBEDDED(table, "table.mustache"),
    EMBEDDED(archive, "archive.mustache"),
    EMBEDDED(states, "states.mustache"),
    EMBEDDED(crash, "crash.mustache"),
    EMBEDDED(comparison, "comparison.mustache"),
    EMBEDDED(sql, "sql.mustache"),
    EMBEDDED(output, "output.mustache"),
    EMBEDDED(properties, "properties.mustache"),
    EMBEDDED(attempts, "attempts.mustache"),
    EMBEDDED(timeline, "timeline.mustache"),
    EMBEDDED(recorded, "recorded.mustache"),
    EMBEDDED(script, "report.js"),
    EMBEDDED(style_sheet, "report.css"),
    EMBEDDED(history_script, "history.js"),
    EMBEDDED(history_style_sheet, "history.css"),
};

const struct exhibit_template *exhibit_templates(size_t *count) {
  *count = sizeof files / sizeof files[0];
  return files;
}
