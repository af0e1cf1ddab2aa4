/* What the scripts of the report's pages share: what each gives to others in `exhibit`, what the files in data/ hold, and
   the few functions of browsers that TypeScript 4.8 does not know. A script that is one thing is a constant of all scripts,
   and its type is read off it. `ci/scripts` has tsc check the scripts against it. */

// ---- The data of the list: TestData.swift writes it ----

/** Written before the scripts, with the data: ScriptCodes.swift. */
declare const codes: {
  /** Words and signs of the outcomes, worst first. */
  outcomes: Outcome[];
  /** Bits of what a test has. */
  has: Record<string, number>;
  /** Names of tables that are no app's, and how such names begin. */
  housekeeping: { names: string[]; prefixes: string[] };
  /** What the terminal says too, with `#` for the number of a step, or for a reason. */
  sentences: Record<string, string>;
};

interface Outcome { style: string; word: string; symbol: string; failure: boolean }

interface TestChunk { suites: [module: string, path: string][]; tests: TestRow[] }

type TestRow = [place: number, outcome: number, micros: number, name: string, page?: string, message?: string,
  display?: string, argument?: string, ordinal?: number, bits?: number, tags?: string[], likes?: number, alike?: number,
  past?: string];

type IssueRow = [style: string, title: string, place: string, message: string];

// ---- The list ----

interface TestPlace { module: string; path: string; key: string; title: string; lower: { module: string; path: string } }

interface Test {
  id: string;
  place: TestPlace;
  name: string;
  title: string;
  argument: string;
  /** Its index in `outcomes`. */
  outcome: number;
  seconds: number | null;
  /** The address of its page, from the report's folder; empty without one. */
  page: string;
  message: string;
  bits: number;
  tags: string[];
  /** The number of those that failed alike, and how many they are. */
  likes: number;
  alike: number;
  /** A digit for each of its last outcomes, oldest first: its place in `outcomes`. */
  past: string;
  /** All that a search looks at, in small letters. */
  text: string;
}

/** The heading of a place, or of other results. */
interface PlaceRow { title: string; key: string; tests: number }

/** A result of the search in another place than the list of tests. */
interface Hit { title: string; where: string; href: string }

interface HitGroup { title: string; found: Hit[] }

type ListRow = Test | PlaceRow | Hit;

type TestCondition = (test: Test) => boolean;

interface TestQuery {
  conditions: TestCondition[];
  /** The words that are no filter, which values in databases are searched for. */
  words: string[];
  /** What the text means otherwise than it looks. */
  hints: string[];
  /** Whether only failures can match. */
  isOfFailures: boolean;
  matches: TestCondition;
}

/** `test` is the identity of a test that has no page. */
interface ViewState { query: string; sort: string; test: string }

interface View extends ViewState {
  /** Where the list was left, in pixels. */
  scrollTop: number;
  isIndex: boolean;
  /** Reads the address, or what the page before left; tells whether the index is to show something else than it does. */
  follow(): boolean;
  /** Changes the query or the order, and the address with it. */
  change(changes: Partial<ViewState>): void;
  /** Leaves for the next page what this one shows. */
  leave(scrollTop: number): void;
  /** The address of the index as the list is shown now, or of a test there. */
  index(test?: string): string;
}

interface TestList {
  count: { failures: number; tests: number; files: number };
  /** The tests, and results of other kinds, that one can go to. */
  readonly targets: (Test | Hit)[];
  readonly isRead: boolean;
  readTests(): Promise<void>;
  change(changes: Partial<ViewState>): void;
  /** Shows it anew, as another test is in sight. */
  show(): void;
  /** Shows what else was found. */
  add(groups: HitGroup[]): void;
  open(row: Test | Hit): void;
  /** Goes so many steps on from the test that is open; from the first or the last where it is not listed. */
  step(by: number): void;
  /** Moves the focus by rows; `false` where there is no further one. */
  focus(by: number): boolean;
  foldAll(): void;
}

interface Search {
  /** Those who know of other results for a text. */
  providers: { title: string; find(text: string): Promise<Hit[]> }[];
  input: HTMLInputElement;
  set(text: string): void;
  /** Asks the providers once more. */
  ask(): void;
  /** Takes over what the address says. */
  take(): void;
  focus(): void;
}

// ---- The rows of databases: docs/rows-data.md ----

type BlobValue = ["b", string, number] & { /** The first bytes in hexadecimal, kept once they are asked for. */ digits?: string };
type NumberValue = number | ["i", string] | ["r", string];
type TaggedValue = ["i", string] | ["r", string] | ["t", string, number] | ["u", string, number, string] | BlobValue | ["?"];
type Value = null | number | string | TaggedValue;
type ValueKind = "null" | "number" | "empty" | "text" | "blob" | "untold";
type Row = Value[];
type Comparable = string | number | bigint;

interface DatabaseHead { format: number; tables: TableHead[] }

interface TableHead {
  name: string;
  kind: string;
  rows: number | null;
  rowid: boolean;
  key: number[];
  columns: [name: string, type: string, flags: number][];
  foreignKeys?: [own: number[], parent: string, parents: string[]][];
  parts: [file: number, first: number, count: number][];
  note?: string;
}

type RowPart = [table: number, first: number, rows: Row[]];

type MarksData = [since: string, tables: [name: string, added: number, changed: number, removed: number, columns: string[], rows: MarkRow[]][]];

type MarkRow = [sign: "+" | "~" | "−", rowid: Value, values: Row | 0, ...former: Value[]];

/** How the numbers of a column tell time: what a unit is in milliseconds, and from where. */
interface Clocked { words: string; unit: number; from: number }

interface Column {
  name: string;
  type: string;
  isReal?: boolean;
  isGenerated?: boolean;
  isRowid?: boolean;
  /** What was learnt of its values. */
  clock?: Clocked | null;
  isNumeric?: boolean;
  sample?: Value[];
}

interface ForeignKey { columns: number[]; table: string; parents: string[] }

interface Table {
  name: string;
  columns: Column[];
  /** The columns that name a row. */
  key: number[];
  foreignKeys: ForeignKey[];
  /** Where a database has it. */
  index?: number;
  kind?: string;
  rowCount?: number | null;
  parts?: TableHead["parts"];
  note?: string;
  /** What cannot be read of it, in a sentence. */
  problem?: string;
  nameColumn?: number;
}

type Database = Awaited<ReturnType<typeof databases.get>>;

interface TableMarks { added: number; changed: number; removed: number; columns: string[]; rows: MarkRow[] }

interface DatabaseMarks { since: string; tables: Map<string, TableMarks> }

/** What happened to a row, and the former values by column. */
interface Mark { kind: "added" | "changed" | "removed" | "absent"; before?: Map<number, Value> }

type Marks = Map<Row, Mark>;

/** Rows as they are shown, what happened to them, and a sentence about them. */
interface Told { rows: Row[]; marks: Marks; note?: string }

// ---- Filtering and sorting rows ----

interface RowCondition {
  /** Whether a value meets it, not regarding `isNegated`. */
  holds(value: Value, column: Column): boolean;
  /** What the name of a row is to be that a foreign key shows. */
  named: ((name: string) => boolean) | null;
  isNegated: boolean;
  /** The column that it is about; -1 for any. */
  column: number;
  /** The text that a value of any column is to have, where that alone is asked. */
  sought: string | null;
}

/** A sentence of what is wrong, and filters that may be meant. */
interface FilterMistake { wrong: string; instead: { words: string; filter: string }[] }

type TableRows = InstanceType<typeof TableRows>;

/** Where a foreign key of a table's rows leads: the other table, whether all rows of it are here, and the row. */
interface Reference {
  table: Table;
  isWhole: boolean;
  /** `null` where a row refers to none, `undefined` where that is not found. */
  target(row: Row): Row | null | undefined;
}

/** By column, the reference that its cells show beside their values. */
type References = Map<number, Reference>;

interface Referring { table: Table; key: ForeignKey; rows: Row[] }

/** What a foreign key leads to, or that it leads to nothing. */
interface CellLink { href?: string; name?: string; isBroken?: boolean }

type RowLink = (row: Row) => CellLink | null;

// ---- The grid and what stands around it ----

interface GridEvents {
  /** For a cell that is to be shown whole. */
  open?(row: Row, column: number, takesFocus: boolean): void;
  /** When the reader sorts. */
  sort?(column: number, direction: number): void;
  /** When the reader goes to a cell. */
  choose?(row: Row, column: number): void;
}

interface GridContent {
  /** For foreign keys; `null` for the result of a query. */
  database?: Database | null;
  table: Table;
  /** All of them, in the table's own order. */
  rows: Row[];
  marks?: Marks;
  /** A sentence below it. */
  note?: string;
  /** The columns by index, where that is another's. */
  order?: number[] | null;
}

type Grid = InstanceType<typeof Grid>;

type CellPanel = InstanceType<typeof CellPanel>;

type Browser = InstanceType<typeof DatabaseBrowser>;

interface BesideChoice { words: string; rows(table: Table): Promise<Row[] | null> }

type Beside = InstanceType<typeof Beside>;

/** A place in a test's databases, as an address has it; what is empty is not said. */
type Place = Record<"db" | "state" | "table" | "row" | "column" | "filter" | "sort" | "changed" | "sql", string>;

// ---- Time: docs/states-data.md ----

type StateKey = number | Value[];

type StepData = [number: number, text: string | 0, connection: number, born: number, committed: number, taken: number,
  bound?: string | 0, isWrite?: number];

type EventData = [step: number, fixed: number, kind: 0, before: StateKey | null, after: StateKey | null, old: Row | null,
  values: Row | null, depth?: number] | [step: number, fixed: number, kind: 1 | 2 | 3, sentence?: string];

type TimelineData = [evidence: number, captured: number, showsOpen: number, bound: string, first: number, steps: StepData[],
  tables: [name: string, columns: string[], hasRowid: number, isCaptured: number, reason: string, unseenBefore: number, events: EventData[]][]];

type Timeline = InstanceType<typeof Timeline>;
type Step = Timeline["steps"][number];
type StateTable = NonNullable<ReturnType<Timeline["tables"]["get"]>>;
type PastEntry = ReturnType<Timeline["past"]>["entries"][number];
type Time = InstanceType<typeof DatabaseTime>;

/** Where a table differed from its captured rows: by key a row, or `null` for one that was not there. */
interface TableState { exists: boolean; holdsCaptured: boolean; rows: Map<string, Row | null>; bound: string }

// ---- SQL ----

/** Where the bytes of a database come from; `copy` gives `false` for bytes that have to be read first. */
interface PageSource {
  size: number;
  copy(bytes: Uint8Array, offset: number): boolean;
  load(offset: number): Promise<void>;
  loadAll(): Promise<void>;
}

/** SQLite's functions; places in its memory are numbers. */
interface SQLite {
  memory: WebAssembly.Memory;
  viewer_open(name: number): number;
  viewer_copy(bytes: number, count: number): number;
  sqlite3_initialize(): number;
  sqlite3_close_v2(connection: number): number;
  sqlite3_errmsg(connection: number): number;
  sqlite3_errcode(connection: number): number;
  sqlite3_error_offset(connection: number): number;
  sqlite3_malloc64(count: bigint): number;
  sqlite3_free(place: number): void;
  sqlite3_prepare_v2(connection: number, text: number, count: number, statement: number, rest: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_bind_parameter_count(statement: number): number;
  sqlite3_bind_int64(statement: number, parameter: number, value: bigint): number;
  sqlite3_bind_double(statement: number, parameter: number, value: number): number;
  sqlite3_bind_text(statement: number, parameter: number, text: number, count: number, owner: number): number;
  sqlite3_bind_blob(statement: number, parameter: number, bytes: number, count: number, owner: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_name(statement: number, column: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_int64(statement: number, column: number): bigint;
  sqlite3_column_double(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
}

type SQLValue = null | bigint | number | string | Uint8Array;

/** Of a long value a part, and the bytes of the whole. */
type SQLCell = SQLValue | { part: string | Uint8Array; bytes: number };

interface SQLStatement { sql: string; values?: SQLValue[] }

interface SQLResult {
  columns: string[];
  rows: SQLCell[][];
  /** How many rows there are; more than are kept. */
  count: number;
  milliseconds: number;
  /** How many parameters have no value. */
  parameters?: number;
  isStopped?: boolean;
}

/** What is found, while a statement runs. */
interface Found extends Omit<SQLResult, "milliseconds"> { length: number; room: number }

interface Clock { left: number; pause(): Promise<boolean> }

interface RunOptions { values?: SQLValue[]; rows?: number; milliseconds?: number; pause?(): Promise<boolean> }

type SQLConnection = InstanceType<typeof SQLConnection>;

/** Another state than the captured one: that after a `transaction` of its WAL, counted from 1, or one that `statements`
    make of the captured one, in a copy. `name` says which it is, `reason` why it is none of them. */
interface SQLState { name?: string; transaction?: number; statements?: SQLStatement[]; reason?: string }

interface SQL {
  /** The bytes of one database; the path of its chunks begins with `path`, the last part of which is its name. */
  pages(path: string, size: number): PageSource;
  /** A database of which each byte is told by what it differs in from that of another. */
  difference(difference: PageSource, base: PageSource): PageSource;
  /** A database with the first transactions of its WAL, 0 for none; both are as they lay on disk. */
  walState(database: PageSource, wal: PageSource, transactions: number): Promise<PageSource>;
  /** Opens a database for reading. */
  open(source: PageSource): Promise<SQLConnection>;
  /** Opens a copy of a database in memory, and runs statements on it: triggers and foreign keys are off. */
  copy(source: PageSource, statements: SQLStatement[]): Promise<SQLConnection>;
  /** A table of the rows that were kept. */
  table(result: SQLResult): HTMLElement;
  /** How many rows there are, and how long SQLite worked. */
  summary(result: SQLResult): string;
  /** What went wrong, for the reader. */
  explain(error: unknown, statement: string, run: { limit: number; isStopped: boolean }): string;
  /** Has a database's box run on another state than the captured one; `null` leads back. These two are there on a page
      with a box. */
  setState?(number: string | number, state: SQLState | null): void;
  /** Has the box in sight that the address has just led to, as often as what is above it grows; tells whether there is
      one. */
  reveal?(): boolean;
}

// ---- What the scripts give each other ----

/** Attributes of an element: what is `null` or `false` is none, and a function listens to the event of that name. */
type Attributes = { [Event in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Event]) => void }
  & { [name in AttributeName | `aria-${string}` | `data-${string}`]?: string | number | boolean | null };

type AttributeName = "alt" | "autocapitalize" | "autocomplete" | "checked" | "class" | "download" | "focusable" | "hidden" | "href" | "id"
  | "max" | "min" | "name" | "placeholder" | "rel" | "role" | "scope" | "spellcheck" | "src" | "tabindex" | "title" | "type" | "value";

/** data/values.js: docs/rows-data.md describes it. */
interface ValuesIndex {
  tests: [page: string, title: string, databases: [number: string, id: string, name: string][],
    steps: [number: number, isShown: 0 | 1, ...texts: string[]][]][];
  omitted: number;
  /** Steps of which not all values are here whole. */
  cut: number;
}

interface Exhibit {
  // values.js
  /** Takes data/values.js. */
  values(index: ValuesIndex): void;
  /** Looks for a text in the rows and steps of all failures; a note says what was left out. */
  findValues(text: string, isWanted: () => boolean): Promise<{ found: Hit[]; note: string }>;
  // compare.js
  /** The address of the page that shows two failures; the second may be still to be chosen. */
  comparison(left: string, right?: string): string;
  // shell-list.js
  /** Once all failures are read, on a page with a list. */
  failuresRead?: Promise<void>;
  // shell-address.js
  /** The address of the overview of the run. */
  glance: string;
  // exhibit.js
  set<Each extends Element>(element: Each, attributes: Attributes): Each;
  /** An element with a class, or with attributes, and children; texts become text nodes. */
  element<Name extends keyof HTMLElementTagNameMap>(
    name: Name, attributes?: string | Attributes, ...children: (Node | string)[]): HTMLElementTagNameMap[Name];
  /** A button with words and what it does. */
  button(style: string, words: Node | string, action: () => void, attributes?: Attributes): HTMLButtonElement;
  link(href: string, ...children: (Node | string)[]): HTMLAnchorElement;
  /** A sign that stands for nothing which words do not say too. */
  sign(style: string, symbol: string): HTMLElement;
  /** The first element that a page has in any case. */
  one<Name extends string>(selector: Name, root?: ParentNode):
    Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;
  /** What surrounds the target of an event. */
  around(event: Event, selector: string): HTMLElement | null;
  /** The link that is clicked. */
  linkOf(event: Event): HTMLAnchorElement | null;
  /** Whether something is typed or asked where an event is. */
  isTyping(event: Event): boolean;
  /** Opens an element that folds, and all that it is folded in. */
  unfold(element: Element): void;
  bringIntoSight(element: Element, block: ScrollLogicalPosition): void;
  /** What does an action before the next frame, once however often it is called. */
  framed(action: () => void): () => void;
  isModified(event: KeyboardEvent | MouseEvent): boolean;
  /** What the address says in names and values; an anchor says nothing. */
  addressed(): URLSearchParams;
  /** JSON; `undefined` where it is none. Whatever it is, it comes from outside: any. */
  parsed(text: string | null): any;
  recall(storage: "localStorage" | "sessionStorage", name: string): string | null;
  keep(storage: "localStorage" | "sessionStorage", name: string, text: string): void;
  /** What an error says. */
  reason(error: unknown): string;
  /** `1,234`. */
  grouped(count: number): string;
  /** `1 test`, `1,234 tests`. */
  counted(count: number, singular: string): string;
  /** `234 ms`, as the pages write it. */
  duration(seconds: number | null): string;
  /** A pattern that a text alone matches. */
  pattern(text: string): string;
  shellQuoted(text: string): string;
  sqlQuoted(name: string): string;
  compare(one: Comparable, other: Comparable): number;
  /** Whether values of databases are the same. */
  same(one: Value | undefined, other: Value | undefined): boolean;
  /** What a map has of a key, made where it has nothing yet. */
  once<Key, Value>(map: { has(key: Key): boolean; get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
    key: Key, make: (key: Key) => Value): Value;
  /** Elements by their names; those whose name is `null` are left out. */
  byName<Each, Name>(elements: Iterable<Each>, nameOf: (element: Each) => Name): Map<Name, Each[]>;
  bytes(base64: string): Uint8Array;
  hexadecimal(bytes: Uint8Array, between?: string): string;

  // tests.js
  /** All tests read so far, in the report's order. */
  tests: Test[];
  /** The failures among them that are read so far, in the same order; objects of their own. */
  failures: Test[];
  outcomes: Outcome[];
  has: Record<string, number>;
  /** What leads from this page to the report's folder. */
  base: string;
  /** Called by data/tests-N.js and data/failures-N.js. */
  add(number: number, chunk: TestChunk): void;
  addFailures(number: number, chunk: TestChunk): void;
  /** Reads the files one after the other, so that the page stays quick; `progress` hears of each. */
  read(count: number, progress: () => void): Promise<void>;
  /** Reads the failures, those of one file before the others; in one file they are among the tests. */
  readFailures(count: number, first: number, progress: () => void): Promise<void>;
  /** Runs a file of the report's folder; the one file has some of them in itself. */
  readFile(path: string): Promise<void>;
  /** Called by files in data/ and viewer.js with much data: calls a function with the values and what the gzip file holds. */
  packed(name: string, values: (string | number)[], base64: string): void;
  /** Whether a test crashed, failed or did not end. */
  fails(test: Test): boolean;
  /** The outcome as word and sign. */
  badge(outcome: number): HTMLElement;

  // query.js, list.js, copy.js, issues.js, table-filter.js
  query(text: string): TestQuery;
  /** Of what is so high that browsers cut it off: the height that is shown, and of how many pixels one stands for. */
  tall: { shown(height: number): number; scale(height: number, room: number): number };
  addCopyButtons(root: ParentNode): void;
  /** Called by data/issues/NAME.js. */
  addIssues(rows: IssueRow[]): void;
  /** Hides those whose names do not match; `null` where there are few. */
  tableFilter(tables: { element: HTMLElement; name: string }[]): HTMLInputElement | null;

  // shell-*.js, keyboard.js; a page without a list has no view, list and search
  view: View;
  list?: TestList;
  beginList(): void;
  search?: Search;
  /** Shows a test in the index, or nothing; tells whether it did. */
  choose(test: Test | null | undefined): boolean;
  /** Has the links lead to the tests around one of a list; as they were where the list has not that test. */
  showNeighbours(tests: Test[], index: number, address: (test: Test) => string): void;
  /** Has a key do something; `words` tell it in the help, none where another key's words do. */
  keys: { add(key: string, words: string, action: () => void): void };

  // sql-*.js
  sql: SQL;
  /** Called by viewer.js, and by data/pages/NAME-N.js; bytes are in base64 where they were not packed. */
  viewer(program: string | Uint8Array): void;
  pages(name: string, number: number, bytes: string | Uint8Array): void;

  // place.js
  setAddress(fragment: string, isStep?: boolean): void;
  place: {
    get(): Place;
    /** The reference that leads to a place. */
    link(place: Partial<Place>): string;
    /** Notes where the reader is; going back leads to where the reader was before `isStep`. */
    set(changes: Partial<Place>, isStep?: boolean): void;
    /** Is told whenever the address leads somewhere else: of a link, of going back, never of `set`. */
    listen(listener: (place: Place) => void): void;
  };

  // cell.js, rows.js, filter.js
  isBlob(value: Value): value is BlobValue;
  isNumber(value: Value): value is NumberValue;
  /** Called by data/rows/ID/head.js with the tables, and by data/rows/ID/N.js with a number and rows. */
  rows(id: string, first: DatabaseHead | number, parts?: RowPart[]): void;
  /** Called by data/marks/PAGE.js. */
  marks(page: string, evidence: Record<string, MarksData>): void;
  /** How many rows of a table the files are to hold. */
  promised(table: Table): number;
  /** What a filter's text asks for, all of which a row has to meet. */
  rowFilter(text: string, columns: Column[]): { conditions: RowCondition[]; mistakes: FilterMistake[] };
  /** A text without regard to case; Greek has two small letters for one capital. */
  foldedText(text: string): string;
  /** `customer=7`: the term that a value of a column meets. */
  filterTerm(name: string, value: Value): string;

  // cell-view.js, cell-panel.js, marks.js
  /** What a cell shows whose foreign key leads to no row. */
  brokenReference: string;
  /** On one line, with what hides, moves or controls text as a sign: as the pages write texts from outside. */
  visible(text: string): string;
  /** The beginning of such a text, whatever its direction. */
  bdi(text: string, most?: number): HTMLElement;
  /** `6aa6e2…c2f1` of a UUID, others as they are: what is seen of a text. */
  shortUUID(text: string): string;
  /** The text of a cell; of a UUID the middle is there to be copied and to be read out alone. */
  textElement(text: string): HTMLElement;
  cellElement(value: Value, column: Column, link?: CellLink | null): HTMLElement;
  /** What a row is called, where a column has that. */
  rowTitle(table: Table, row: Row): string;
  /** The column in whose cells a foreign key's link stands: one that no other key has, where there is one. */
  linkColumn(table: Table, key: ForeignKey): number;
  /** Finds out where the foreign keys of a grid's rows lead, then draws them. */
  readLinks(grid: Grid): Promise<void> | undefined;
  readReferences(database: Database, table: Table): Promise<Map<ForeignKey, Reference>>;
  shownReferences(database: Database, table: Table): Promise<References>;
  /** What refers to a row, for each foreign key that does. */
  referringTo(database: Database, table: Table, row: Row): Promise<Referring[]>;
  hidePanel(): void;
  /** The rows with those that were removed, in their places, and what happened to each. */
  markedRows(table: Table, rows: Row[], marks: TableMarks | null): Told;
  /** Told values in the places that the table has for them; `rowid` is `null` where there is none. */
  laidOutRow(table: Table, columns: number[], rowid: Value, values: Row): Row;
  /** The order of rows by their key where that is a number. */
  keyOrder(table: Table): (one: Row, other: Row) => number;
  /** Rows with others among them by their key where that is a number, else at the end. */
  mergedRows(table: Table, rows: Row[], others: Row[]): Row[];

  // table-rows.js
  /** What is known of some rows of a table, for as long as these are somewhere. */
  tableRows(table: Table, rows: Row[]): TableRows;
  /** The rows that a filter leaves of some, up to `most`; none where it is not understood. */
  rowsWith(table: Table, rows: Row[], text: string, references?: References, most?: number): Promise<Row[]>;
  /** The first column whose value alone meets a filter; -1 where it stands in the name of a row that a foreign key leads to. */
  columnWith(table: Table, row: Row, text: string): number;

  // browser*.js, beside.js
  /** By the number of the evidence: all of the page. */
  browsers: Map<string, Browser>;
  /** Whether a table is none of those that SQLite and frameworks keep for themselves. */
  isOwnTable(table: Pick<Table, "kind" | "name">): boolean;
  /** Gives a browser of tables its second side, where there is anything to stand there. */
  addBeside(browser: Browser): void;

  // states.js, time*.js
  /** A key as text, by which rows are looked up: a rowid, or `["k", …]` with the values of a primary key. */
  keyText(key: Value | StateKey): string;
  /** Called by data/states/PAGE.js with what tells the states of each captured database. */
  addStates(list: TimelineData[]): void;
  /** Gives a browser of tables its time, where its states are told. */
  addTime(browser: Browser): Promise<void>;
  /** Has the box of a database run on the state that was chosen. */
  askAt(time: Time): void;
}

// ---- The page ----

/* What is looked for by a selector is HTML: the pages' only SVG is looked for by the names of its elements. */
interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null;
  querySelector<Name extends keyof SVGElementTagNameMap>(selector: Name): SVGElementTagNameMap[Name] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<Name extends keyof SVGElementTagNameMap>(selector: Name): NodeListOf<SVGElementTagNameMap[Name]>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null;
  closest(selector: string): HTMLElement | null;
  checkVisibility(): boolean;
  scrollIntoView(options: { block: ScrollLogicalPosition; behavior: "instant" }): void;
}

interface Window { scrollBy(options: { top: number; behavior: "instant" }): void }

interface Array<T> {
  findLast(test: (element: T) => boolean): T | undefined;
  findLastIndex(test: (element: T) => boolean): number;
}

interface Uint8ArrayConstructor { fromBase64?(base64: string): Uint8Array }

declare class DecompressionStream implements ReadableWritablePair<Uint8Array, Uint8Array> {
  constructor(format: "gzip");
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
