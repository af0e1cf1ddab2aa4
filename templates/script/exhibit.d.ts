/* What scripts give to others in `exhibit`, what files in data/ hold, and functions that TypeScript 4.8 lacks.
   `ci/scripts` checks the scripts against it. */

// ---- The list's data, as TestData.swift writes it ----

/** ScriptCodes.swift writes it. */
declare const codes: {
  /** Worst first. */
  outcomes: Outcome[];
  has: Record<string, number>;
  /** Tables that are no app's. */
  housekeeping: { names: string[]; prefixes: string[] };
  /** `#` stands for a number or reason. */
  sentences: Record<string, string>;
};

interface Outcome { style: string; word: string; symbol: string; failure: boolean }

interface TestChunk { suites: [module: string, path: string][]; tests: TestRow[] }

type TestRow = [place: number, outcome: number, micros: number, name: string, page?: string, message?: string,
  display?: string, argument?: string, ordinal?: number, bits?: number, tags?: string[], likes?: number, alike?: number,
  past?: string];

type IssueRow = [style: string, title: string, place: string, message: string];

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
  /** From the report's folder; empty without a page. */
  page: string;
  message: string;
  bits: number;
  tags: string[];
  /** Number and count of those that failed alike. */
  likes: number;
  alike: number;
  /** Oldest first, as places in `outcomes`. */
  past: string;
  /** What is searched, in small letters. */
  text: string;
}

interface PlaceRow { title: string; key: string; tests: number }

interface Hit { title: string; where: string; href: string }

interface HitGroup { title: string; found: Hit[] }

type ListRow = Test | PlaceRow | Hit;

type TestCondition = (test: Test) => boolean;

interface TestQuery {
  conditions: TestCondition[];
  /** Words that are no filter. */
  words: string[];
  /** Where the text means otherwise than it looks. */
  hints: string[];
  /** Only failures can match. */
  isOfFailures: boolean;
  matches: TestCondition;
}

interface ViewState { query: string; sort: string; test: string }

interface View extends ViewState {
  scrollTop: number;
  isIndex: boolean;
  /** Reads the address or storage; `false` where the address is about something else. */
  follow(): boolean;
  change(changes: Partial<ViewState>): void;
  /** For the next page. */
  leave(scrollTop: number): void;
  /** The index's address. */
  index(test?: string): string;
}

interface TestList {
  count: { failures: number; tests: number; files: number };
  readonly targets: (Test | Hit)[];
  readonly isRead: boolean;
  readTests(): Promise<void>;
  change(changes: Partial<ViewState>): void;
  show(): void;
  add(groups: HitGroup[]): void;
  open(row: Test | Hit): void;
  /** From the open test. */
  step(by: number): void;
  /** Moves the focus; `false` at an end. */
  focus(by: number): boolean;
  foldAll(): void;
}

interface Search {
  providers: { title: string; find(text: string): Promise<Hit[]> }[];
  input: HTMLInputElement;
  set(text: string): void;
  /** Asks the providers again. */
  ask(): void;
  /** Takes the address's text. */
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

interface DatabaseHead { format: number; entities?: [number: number, name: string][]; tables: TableHead[] }

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

/** `unit` and `from` are milliseconds. */
interface Clocked { words: string; unit: number; from: number }

interface Column {
  name: string;
  type: string;
  isReal?: boolean;
  isGenerated?: boolean;
  /** Names of Core Data's entities by number, where it has such numbers. */
  entities?: Record<string, string>;
  isRowid?: boolean;
  /** Learnt from its values. */
  clock?: Clocked | null;
  isNumeric?: boolean;
  sample?: Value[];
}

interface ForeignKey { columns: number[]; table: string; parents: string[] }

interface Table {
  name: string;
  columns: Column[];
  /** They name a row. */
  key: number[];
  foreignKeys: ForeignKey[];
  index?: number;
  kind?: string;
  rowCount?: number | null;
  parts?: TableHead["parts"];
  note?: string;
  /** What cannot be read, as a sentence. */
  problem?: string;
  nameColumn?: number;
}

type Database = Awaited<ReturnType<typeof databases.get>>;

interface TableMarks { added: number; changed: number; removed: number; columns: string[]; rows: MarkRow[] }

interface DatabaseMarks { since: string; tables: Map<string, TableMarks> }

/** Former values by column. */
interface Mark { kind: "added" | "changed" | "removed" | "absent"; before?: Map<number, Value> }

type Marks = Map<Row, Mark>;

interface Told { rows: Row[]; marks: Marks; note?: string }

interface RowCondition {
  /** Regardless of `isNegated`. */
  holds(value: Value, column: Column): boolean;
  /** For a foreign key's row. */
  named: ((name: string) => boolean) | null;
  isNegated: boolean;
  /** -1 for any. */
  column: number;
  /** The text, where any column may have it and nothing else is asked. */
  sought: string | null;
}

interface FilterMistake { wrong: string; instead: { words: string; filter: string }[] }

type TableRows = InstanceType<typeof TableRows>;

/** `isWhole`: all rows of that table are here. */
interface Reference {
  table: Table;
  isWhole: boolean;
  /** `null` for no reference, `undefined` where not found. */
  target(row: Row): Row | null | undefined;
}

/** By the column whose cells show it. */
type References = Map<number, Reference>;

interface Referring { table: Table; key: ForeignKey; rows: Row[] }

interface CellLink { href?: string; name?: string; isBroken?: boolean }

type RowLink = (row: Row) => CellLink | null;

interface GridEvents {
  /** Shows a cell whole. */
  open?(row: Row, column: number, takesFocus: boolean): void;
  sort?(column: number, direction: number): void;
  choose?(row: Row, column: number): void;
}

interface GridContent {
  database?: Database | null;
  table: Table;
  /** In the table's order. */
  rows: Row[];
  marks?: Marks;
  note?: string;
  order?: number[] | null;
}

type Grid = InstanceType<typeof Grid>;

type CellPanel = InstanceType<typeof CellPanel>;

type Browser = InstanceType<typeof DatabaseBrowser>;

/** `age` says whether it is newer or older than what it stands beside; different databases are neither. */
interface BesideChoice { words: string; age?: "newer" | "older"; rows(table: Table): Promise<Row[] | null> }

type Beside = InstanceType<typeof Beside>;

/** As an address has it. */
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

/** By key, what differed from captured rows; `null` for no row. */
interface TableState { exists: boolean; holdsCaptured: boolean; rows: Map<string, Row | null>; bound: string }

/** `copy` gives `false` where bytes must be loaded first. */
interface PageSource {
  size: number;
  copy(bytes: Uint8Array, offset: number): boolean;
  load(offset: number): Promise<void>;
  loadAll(): Promise<void>;
}

/** Places in its memory are numbers. */
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

/** Of a long value a part; `bytes` counts all. */
type SQLCell = SQLValue | { part: string | Uint8Array; bytes: number };

interface SQLStatement { sql: string; values?: SQLValue[] }

interface SQLResult {
  columns: string[];
  rows: SQLCell[][];
  /** Of all rows. */
  count: number;
  milliseconds: number;
  /** Parameters without a value. */
  parameters?: number;
  isStopped?: boolean;
}

interface Found extends Omit<SQLResult, "milliseconds"> { length: number; room: number }

interface Clock { left: number; pause(): Promise<boolean> }

interface RunOptions { values?: SQLValue[]; rows?: number; milliseconds?: number; pause?(): Promise<boolean> }

type SQLConnection = InstanceType<typeof SQLConnection>;

/** A state after a WAL's `transaction`, from 1, or of a copy that `statements` change; else `reason` says why not. */
interface SQLState { name?: string; transaction?: number; statements?: SQLStatement[]; reason?: string }

interface SQL {
  /** `path` begins the chunks' paths. */
  pages(path: string, size: number): PageSource;
  difference(difference: PageSource, base: PageSource): PageSource;
  walState(database: PageSource, wal: PageSource, transactions: number): Promise<PageSource>;
  open(source: PageSource): Promise<SQLConnection>;
  /** A copy in memory. */
  copy(source: PageSource, statements: SQLStatement[]): Promise<SQLConnection>;
  table(result: SQLResult): HTMLElement;
  summary(result: SQLResult): string;
  explain(error: unknown, statement: string, run: { limit: number; isStopped: boolean }): string;
  /** Has a box run on another state; `null` leads back. */
  setState?(number: string | number, state: SQLState | null): void;
  /** Scrolls to the box that the address led to; returns whether there is one. */
  reveal?(): boolean;
}

/** `null` and `false` are none; a function listens to an event. */
type Attributes = { [Event in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Event]) => void }
  & { [name in AttributeName | `aria-${string}` | `data-${string}`]?: string | number | boolean | null };

type AttributeName = "alt" | "autocapitalize" | "autocomplete" | "checked" | "class" | "download" | "focusable" | "hidden" | "href" | "id"
  | "max" | "min" | "name" | "placeholder" | "rel" | "role" | "scope" | "spellcheck" | "src" | "tabindex" | "title" | "type" | "value";

/** data/values.js, as docs/rows-data.md describes it. */
interface ValuesIndex {
  tests: [page: string, title: string, databases: [number: string, id: string, name: string][],
    steps: [number: number, isShown: 0 | 1, ...texts: string[]][]][];
  omitted: number;
  cut: number;
}

interface Exhibit {
  // values.js
  /** Called by data/values.js. */
  values(index: ValuesIndex): void;
  /** `note` says what was left out. */
  findValues(text: string, isWanted: () => boolean): Promise<{ found: Hit[]; note: string }>;
  // compare.js
  comparison(left: string, right?: string): string;
  // shell-list.js
  /** On pages with a list. */
  failuresRead?: Promise<void>;
  // shell-address.js
  /** The overview's address. */
  glance: string;
  // exhibit.js
  set<Each extends Element>(element: Each, attributes: Attributes): Each;
  /** `attributes` may be a class. */
  element<Name extends keyof HTMLElementTagNameMap>(
    name: Name, attributes?: string | Attributes, ...children: (Node | string)[]): HTMLElementTagNameMap[Name];
  button(style: string, words: Node | string, action: () => void, attributes?: Attributes): HTMLButtonElement;
  link(href: string, ...children: (Node | string)[]): HTMLAnchorElement;
  /** A sign for what words say too. */
  sign(style: string, symbol: string): HTMLElement;
  /** Throws where there is none. */
  one<Name extends string>(selector: Name, root?: ParentNode):
    Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;
  /** From an event's target. */
  around(event: Event, selector: string): HTMLElement | null;
  linkOf(event: Event): HTMLAnchorElement | null;
  isTyping(event: Event): boolean;
  unfold(element: Element): void;
  bringIntoSight(element: Element, block: ScrollLogicalPosition): void;
  /** Before the next frame, once. */
  framed(action: () => void): () => void;
  isModified(event: KeyboardEvent | MouseEvent): boolean;
  /** Empty for an anchor. */
  addressed(): URLSearchParams;
  /** `undefined` where it is no JSON. */
  parsed(text: string | null): any;
  recall(storage: "localStorage" | "sessionStorage", name: string): string | null;
  keep(storage: "localStorage" | "sessionStorage", name: string, text: string): void;
  reason(error: unknown): string;
  /** `1,234`. */
  grouped(count: number): string;
  /** `1 test`, `1,234 tests`. */
  counted(count: number, singular: string): string;
  /** `234 ms`. */
  duration(seconds: number | null): string;
  pattern(text: string): string;
  shellQuoted(text: string): string;
  sqlQuoted(name: string): string;
  compare(one: Comparable, other: Comparable): number;
  same(one: Value | undefined, other: Value | undefined): boolean;
  /** Made once for a key. */
  once<Key, Value>(map: { has(key: Key): boolean; get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
    key: Key, make: (key: Key) => Value): Value;
  /** Leaves out `null` names. */
  byName<Each, Name>(elements: Iterable<Each>, nameOf: (element: Each) => Name): Map<Name, Each[]>;
  bytes(base64: string): Uint8Array;
  hexadecimal(bytes: Uint8Array, between?: string): string;

  // tests.js
  /** Those read, in the report's order. */
  tests: Test[];
  /** Other objects than `tests`. */
  failures: Test[];
  outcomes: Outcome[];
  has: Record<string, number>;
  /** Leads to the report's folder. */
  base: string;
  /** Called by data/tests-N.js and data/failures-N.js. */
  add(number: number, chunk: TestChunk): void;
  addFailures(number: number, chunk: TestChunk): void;
  /** One by one: the page stays quick. */
  read(count: number, progress: () => void): Promise<void>;
  /** `first` before others. */
  readFailures(count: number, first: number, progress: () => void): Promise<void>;
  /** Runs a file of the report. */
  readFile(path: string): Promise<void>;
  /** Called by files with much data in gzip. */
  packed(name: string, values: (string | number)[], base64: string): void;
  fails(test: Test): boolean;
  badge(outcome: number): HTMLElement;

  // query.js, list.js, copy.js, issues.js, table-filter.js
  query(text: string): TestQuery;
  /** Browsers cut off great heights: what is shown, and its scale. */
  tall: { shown(height: number): number; scale(height: number, room: number): number };
  addCopyButtons(root: ParentNode): void;
  /** Called by data/issues/NAME.js. */
  addIssues(rows: IssueRow[]): void;
  /** `null` where there are few. */
  tableFilter(tables: { element: HTMLElement; name: string }[]): HTMLInputElement | null;

  // roving.js
  /** Makes what a selector finds in a group one tab stop; `first` selects where Tab leads before a reader was there. */
  roving(group: HTMLElement, selector: string, first?: string): void;

  // shell-*.js, keyboard.js; a page without a list has no view, list and search
  view: View;
  list?: TestList;
  beginList(): void;
  search?: Search;
  /** Returns whether the index shows it. */
  choose(test: Test | null | undefined): boolean;
  /** Resets links where the test is not listed. */
  showNeighbours(tests: Test[], index: number, address: (test: Test) => string): void;
  /** `words` are for the help. */
  keys: { add(key: string, words: string, action: () => void): void };

  // sql-*.js
  sql: SQL;
  /** Called by viewer.js and data/pages/NAME-N.js; texts are base64. */
  viewer(program: string | Uint8Array): void;
  pages(name: string, number: number, bytes: string | Uint8Array): void;

  // place.js
  setAddress(fragment: string, isStep?: boolean): void;
  place: {
    get(): Place;
    link(place: Partial<Place>): string;
    /** `isStep` adds to the browser's history. */
    set(changes: Partial<Place>, isStep?: boolean): void;
    /** Hears of links and going back, never of `set`. */
    listen(listener: (place: Place) => void): void;
  };

  // cell.js, rows.js, filter.js
  isBlob(value: Value): value is BlobValue;
  /** What a binary property list holds, a member a line; `null` for other bytes. */
  propertyList(bytes: Uint8Array): string | null;
  isNumber(value: Value): value is NumberValue;
  /** Called by data/rows/ID/head.js and N.js. */
  rows(id: string, first: DatabaseHead | number, parts?: RowPart[]): void;
  /** Called by data/marks/PAGE.js. */
  marks(page: string, evidence: Record<string, MarksData>): void;
  /** Rows that the files are to hold. */
  promised(table: Table): number;
  /** All conditions must hold. */
  rowFilter(text: string, columns: Column[]): { conditions: RowCondition[]; mistakes: FilterMistake[] };
  /** Ignores case; Greek has two small letters for one capital. */
  foldedText(text: string): string;
  /** `customer=7`. */
  filterTerm(name: string, value: Value): string;

  // cell-view.js, cell-panel.js, marks.js
  /** Words for a key that leads to no row. */
  brokenReference: string;
  /** On one line, with signs for hidden letters. */
  visible(text: string): string;
  bdi(text: string, most?: number): HTMLElement;
  /** `6aa6e2…c2f1` of a UUID, others as they are. */
  shortUUID(text: string): string;
  /** Hides a UUID's middle, which can still be copied. */
  textElement(text: string): HTMLElement;
  cellElement(value: Value, column: Column, link?: CellLink | null): HTMLElement;
  rowTitle(table: Table, row: Row): string;
  /** A column of its own, where possible. */
  linkColumn(table: Table, key: ForeignKey): number;
  readLinks(grid: Grid): Promise<void> | undefined;
  readReferences(database: Database, table: Table): Promise<Map<ForeignKey, Reference>>;
  shownReferences(database: Database, table: Table): Promise<References>;
  referringTo(database: Database, table: Table, row: Row): Promise<Referring[]>;
  hidePanel(): void;
  /** Adds removed rows in their places. */
  markedRows(table: Table, rows: Row[], marks: TableMarks | null): Told;
  laidOutRow(table: Table, columns: number[], rowid: Value, values: Row): Row;
  /** For keys that are numbers. */
  keyOrder(table: Table): (one: Row, other: Row) => number;
  /** By key, or at the end. */
  mergedRows(table: Table, rows: Row[], others: Row[]): Row[];

  // table-rows.js
  /** Kept as long as the rows. */
  tableRows(table: Table, rows: Row[]): TableRows;
  /** None for a wrong filter. */
  rowsWith(table: Table, rows: Row[], text: string, references?: References, most?: number): Promise<Row[]>;
  /** -1 where no value meets it alone. */
  columnWith(table: Table, row: Row, text: string): number;

  // browser*.js, beside.js
  /** By the evidence's number. */
  browsers: Map<string, Browser>;
  /** Others are SQLite's or a framework's. */
  isOwnTable(table: Pick<Table, "kind" | "name">): boolean;
  addBeside(browser: Browser): void;

  // states.js, time*.js
  /** A rowid, or `["k", …]` with a primary key's values. */
  keyText(key: Value | StateKey): string;
  /** Called by data/states/PAGE.js. */
  addStates(list: TimelineData[]): void;
  addTime(browser: Browser): Promise<void>;
  /** Has the SQL box run on that state. */
  askAt(time: Time): void;
}

/* SVG is looked for by its elements' names. */
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
