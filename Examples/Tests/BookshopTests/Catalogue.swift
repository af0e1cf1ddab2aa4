import Bookshop
import GRDB

/// Titles as a publisher's list gives them: title, author, year and price in cents, between bars.
enum Catalogue {
  static let list = """
    Pride and Prejudice|Jane Austen|1813|799
    Emma|Jane Austen|1815|899
    Persuasion|Jane Austen|1817|849
    Frankenstein|Mary Shelley|1818|749
    The Last Man|Mary Shelley|1826|1099
    Jane Eyre|Charlotte Brontë|1847|899
    Villette|Charlotte Brontë|1853|1049
    Wuthering Heights|Emily Brontë|1847|849
    The Tenant of Wildfell Hall|Anne Brontë|1848|999
    Moby-Dick|Herman Melville|1851|1199
    Bartleby, the Scrivener|Herman Melville|1853|599
    Bleak House|Charles Dickens|1853|1299
    Great Expectations|Charles Dickens|1861|999
    Middlemarch|George Eliot|1871|1399
    Silas Marner|George Eliot|1861|799
    The Woman in White|Wilkie Collins|1860|1099
    The Moonstone|Wilkie Collins|1868|1099
    Les Misérables|Victor Hugo|1862|1599
    Notre-Dame de Paris|Victor Hugo|1831|1299
    Madame Bovary|Gustave Flaubert|1856|949
    Germinal|Émile Zola|1885|1149
    Thérèse Raquin|Émile Zola|1867|899
    Crime and Punishment|Fyodor Dostoevsky|1866|1249
    The Idiot|Fyodor Dostoevsky|1869|1299
    The Brothers Karamazov|Fyodor Dostoevsky|1880|1499
    War and Peace|Leo Tolstoy|1869|1699
    Anna Karenina|Leo Tolstoy|1878|1399
    Fathers and Sons|Ivan Turgenev|1862|899
    Effi Briest|Theodor Fontane|1895|949
    Buddenbrooks|Thomas Mann|1901|1349
    The Magic Mountain|Thomas Mann|1924|1549
    Kristin Lavransdatter|Sigrid Undset|1920|1799
    Hunger|Knut Hamsun|1890|899
    Ulysses|James Joyce|1922|1599
    Dubliners|James Joyce|1914|849
    Mrs Dalloway|Virginia Woolf|1925|899
    To the Lighthouse|Virginia Woolf|1927|949
    Orlando|Virginia Woolf|1928|949
    The Trial|Franz Kafka|1925|899
    The Castle|Franz Kafka|1926|949
    """

  /// Stock is 1 to 6 copies, in turn.
  static func insertBooks(_ db: Database) throws {
    for (index, line) in list.split(separator: "\n").enumerated() {
      let fields = line.split(separator: "|").map(String.init)
      try db.execute(
        sql: "INSERT INTO book(title, author, year, price, stock) VALUES (?, ?, ?, ?, ?)",
        arguments: [fields[0], fields[1], fields[2], fields[3], index % 6 + 1])
    }
  }

  static func insertCustomers(_ db: Database) throws {
    for name in ["Ada Byron", "Grace Murray", "Edith Clarke", "Maria Agnesi", "Sofia Krukovsky"] {
      let email = name.lowercased().split(separator: " ").joined(separator: ".") + "@example.org"
      var customer = Customer(name: name, email: email)
      try customer.insert(db)
    }
  }
}
