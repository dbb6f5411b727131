import NIOCore
import PhotoCatalog

/// A photo service whose exports can be imported. The raw value belongs to the identity of an import on a device.
package enum ForeignService: String, Sendable, CaseIterable {
    case googlePhotos = "takeout"
    case iCloud = "icloud"
    case ente = "ente"
}

/// The reading of the exports of one photo service: the photos and videos in the files, with the service's descriptions and
/// their places in the library. Files are recognized by their content, not by names in one language.
package protocol ForeignExport: Sendable {
    /// What a file with descriptions contains.
    associatedtype Description: Sendable

    /// The longest file with descriptions that is read, in bytes.
    static var descriptionLimit: Int { get }

    /// Returns the files that are to be read before, and given to `init`.
    static func descriptionFiles(_ files: [ExportedFile]) -> [Int]

    /// Reads a file with descriptions; returns `nil` if it is none.
    static func read(_ bytes: ByteBuffer) -> Description?

    /// - Parameter descriptions: What the files of `descriptionFiles` contain; those that could not be read are missing.
    init(_ files: [ExportedFile], _ descriptions: [Int: Description], _ options: ForeignExportOptions)

    var items: [ForeignItem] { get }
    var findings: ForeignFindings { get }

    /// Whether the files have nothing of the service.
    var isEmpty: Bool { get }

    /// Returns the names of parts that were not given.
    static func missingParts(_ paths: [String], _ files: [ExportedFile]) -> [String]
}

/// The choices of an import.
package struct ForeignExportOptions: Sendable {
    /// The folder of the library for the photos.
    package var destination: LibraryPath
    /// Whether photos in the trash of the service are imported.
    package var includesTrashed = false
    /// The latest date that is understood; a later one comes from a wrong clock.
    package var latestDate: Timestamp?
    /// Returns whether a path of the library is or was that of other bytes than those of a file, by its index.
    package var isTaken: @Sendable (_ path: LibraryPath, _ file: Int) -> Bool = { _, _ in false }

    package init(destination: LibraryPath) { self.destination = destination }

    /// Removes a date that is too late.
    func limit(_ date: inout Timestamp?, _ isUnreadable: inout Bool) {
        guard let latestDate, let found = date, found > latestDate else { return }
        (date, isUnreadable) = (nil, true)
    }
}
