import Foundation
import JSONCoding
import PhotoCatalog

/// The names that an import from Immich has given to photos and albums, for each folder of the library. A name belongs to
/// its photo for good, also when Immich has the photo no longer: another photo at its path would be a new version of it.
package struct ImmichPlaces: Sendable, Equatable {
    /// The ids by folder and name. Names that differ only in case or normalization are one name on other systems.
    private var owners: [String: [String: String]] = [:]

    package init() {}

    /// Reads what `bytes` returned.
    /// - Throws: `DecodingError`
    package init(_ bytes: [UInt8]) throws {
        owners = try CompactJSON.decode([String: [String: String]].self, from: bytes)
    }

    /// A JSON object of objects.
    package var bytes: [UInt8] {
        // Texts can always be written.
        (try? CompactJSON.encode(owners)) ?? []
    }

    /// The number of digits of an id that distinguish photos.
    private static let markLength = 12

    /// Returns the paths of a photo's files, which it has had before or has from now on. The photo that is named first
    /// keeps its name, and later ones of that name get digits of their id.
    /// - Parameters:
    ///   - names: File names with one stem.
    ///   - sizes: The lengths of the files, as far as they are known. Without lengths, the library is not asked.
    ///   - id: The UUID of the photo or album.
    ///   - isTaken: Returns whether the library has another file at a path than one of this length.
    /// - Returns: `nil` if a path would not be valid.
    mutating func reserve(
        _ names: [String], sizes: [Int64?] = [], in folder: LibraryPath, id: String,
        isTaken: (LibraryPath, Int64) -> Bool = { _, _ in false }
    ) -> [LibraryPath]? {
        let mark = String(id.filter { $0 != "-" }.suffix(Self.markLength))
        let taken = owners["\(folder)", default: [:]]
        var free: (paths: [LibraryPath], keys: [String])?
        for remark in [nil, mark, id] {
            let paths = names.compactMap { name -> LibraryPath? in
                let path = folder.appending(LibraryFolders.usable(name))
                return remark.map { remark in path?.withRemark(remark) } ?? path
            }
            guard paths.count == names.count else { return nil }
            let keys = paths.map { $0.name.precomposedStringWithCanonicalMapping.lowercased() }
            guard Set(keys).count == keys.count, keys.allSatisfy({ Self.isFree($0, taken, for: id) }) else { continue }
            let isKnown = keys.first.map { taken[$0] == id } ?? false
            let isOccupied = zip(paths, sizes).contains { path, size in size.map { isTaken(path, $0) } ?? false }
            guard isKnown || !isOccupied else { continue }
            if isKnown || free == nil { free = (paths, keys) }
            if isKnown { break }
        }
        guard let free else { return nil }
        for key in free.keys { owners["\(folder)", default: [:]][key] = id }
        return free.paths
    }

    /// The ending of captions. The name of a photo with it belongs to the photo, too.
    private static let sidecarEnding = ".xmp"

    /// Returns whether a name is or can be that of a photo. A name that a photo has remains free for it, unless it is that
    /// of another photo's caption.
    private static func isFree(_ name: String, _ taken: [String: String], for id: String) -> Bool {
        let isCaption = name.hasSuffix(sidecarEnding)
        if isCaption, taken[String(name.dropLast(sidecarEnding.count)), default: id] != id { return false }
        if let owner = taken[name] { return owner == id }
        return taken[name + sidecarEnding, default: id] == id
    }

    /// Returns whether something came to Immich before something else.
    static func precedes(_ left: (added: Timestamp?, id: String), _ right: (added: Timestamp?, id: String)) -> Bool {
        switch (left.added, right.added) {
        case (let first?, let second?) where first != second: first < second
        case (.some, nil): true
        case (nil, .some): false
        default: left.id < right.id
        }
    }
}
