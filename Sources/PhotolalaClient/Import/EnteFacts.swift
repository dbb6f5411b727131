import ForeignExports

/// The result of an import of an export of Ente.
public typealias EnteImportReport = ServiceImportReport<EnteFacts>

/// What only an export of Ente has.
public struct EnteFacts: Sendable, Codable, Equatable {
    /// The number of photos that are only in Ente's album of hidden photos. They are imported, and hidden in the library.
    public let hidden: Int
    /// The number of captions, which are in the stored descriptions.
    public let captions: Int

    init(_ findings: ForeignFindings) {
        hidden = findings.hidden
        captions = findings.captions
    }
}
