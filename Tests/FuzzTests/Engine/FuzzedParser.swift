/// A parser that a stranger's bytes reach, and what to feed it.
struct FuzzedParser: Sendable {
    let name: String
    /// What mutations begin from: inputs that the parser accepts.
    let corpus: [[UInt8]]
    /// What mutations put in beside what every format has.
    let tokens: FuzzTokens
    /// Whether the input is accepted. A refusal is no error.
    /// - Throws: `BrokenPromise`, and whatever the parser must not throw.
    let accepts: @Sendable ([UInt8]) async throws -> Bool

    init(
        _ name: String, _ corpus: [[UInt8]], tokens: FuzzTokens = .plain,
        accepts: @escaping @Sendable ([UInt8]) async throws -> Bool
    ) {
        self.name = name
        self.corpus = corpus
        self.tokens = tokens
        self.accepts = accepts
    }

    /// For a parser of text; bytes that are no UTF-8 are repaired before, as those of a header are.
    init(
        text name: String, _ corpus: [String], tokens: FuzzTokens = .plain,
        accepts: @escaping @Sendable (String) async throws -> Bool
    ) {
        self.init(name, corpus.map { Array($0.utf8) }, tokens: tokens) { bytes in
            try await accepts(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// All there are.
    static func all() async throws -> [FuzzedParser] {
        try await identity() + sessions() + accounts() + bodies() + storageHead() + storageBody() + answers()
            + library()
            + values()
    }
}

/// A parser accepted something and does not keep to what that means.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String

    /// - Parameter promise: what must hold of all that is accepted.
    static func unless(_ holds: Bool, _ promise: String) throws {
        guard holds else { throw BrokenPromise(description: "broken promise: \(promise)") }
    }
}
