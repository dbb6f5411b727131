/// A parser that untrusted input reaches, and its corpus.
struct FuzzedParser: Sendable {
    let name: String
    /// The inputs that mutations start from; the parser accepts them.
    let corpus: [[UInt8]]
    /// The tokens that mutations insert in addition to those of all formats.
    let tokens: FuzzTokens
    /// Returns whether the input is accepted. A rejection is not an error.
    /// - Throws: `PropertyViolation`, and any error that the parser must not throw.
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

    /// For a parser of text; bytes that are not UTF-8 are repaired first, as in a header.
    init(
        text name: String, _ corpus: [String], tokens: FuzzTokens = .plain,
        accepts: @escaping @Sendable (String) async throws -> Bool
    ) {
        self.init(name, corpus.map { Array($0.utf8) }, tokens: tokens) { bytes in
            try await accepts(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Returns all parsers.
    static func all() async throws -> [FuzzedParser] {
        try await identity() + sessions() + accounts() + bodies() + storageHead() + storageBody() + answers()
            + library() + pictures() + values() + events()
    }
}

/// A parser accepted an input but violated a property of accepted inputs.
struct PropertyViolation: Error, CustomStringConvertible {
    let description: String

    /// - Parameter promise: the property that must hold for every accepted input.
    static func unless(_ holds: Bool, _ promise: String) throws {
        guard holds else { throw PropertyViolation(description: "violated property: \(promise)") }
    }
}
