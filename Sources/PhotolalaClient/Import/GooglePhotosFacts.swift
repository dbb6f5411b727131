import ForeignExports

/// The result of an import of a Google Takeout.
public typealias TakeoutImportReport = ServiceImportReport<GooglePhotosFacts>

/// What only a Google Takeout has.
public struct GooglePhotosFacts: Sendable, Codable, Equatable {
    /// The number of photos and videos that are edited versions of others. Both are imported.
    public let editedVersions: Int
    /// The number of photos that Google Photos has archived. They are imported, and hidden in the library.
    public let archived: Int
    /// The number of photos of the locked folder. They are imported, and hidden in the library.
    public let locked: Int
    /// The number of photos that a partner shared.
    public let fromPartner: Int
    /// The number of captions, which are in the stored descriptions.
    public let captions: Int
    /// The number of truncated file names that were restored.
    public let restoredNames: Int

    init(_ findings: ForeignFindings) {
        editedVersions = findings.editedVersions
        archived = findings.archived
        locked = findings.locked
        fromPartner = findings.fromPartner
        captions = findings.captions
        restoredNames = findings.restoredNames
    }
}
