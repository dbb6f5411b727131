import NIOCore
import PhotoCatalog

/// The paths of an asset's resources in the library. They depend only on the asset, so all devices with the same photo
/// library compute the same ones:
///
///     2024/05/IMG_0001 (3f2a9c1b0d4e).HEIC
///     2024/05/IMG_0001 (3f2a9c1b0d4e).MOV
///     2024/05/IMG_0001 (3f2a9c1b0d4e edited).JPG
///
/// The folder is the month of the capture date in UTC. The mark consists of digits of the stable ID's MD5; it
/// distinguishes photos of one month with the same name. The original and the edited version are one `MediaGroup`.
enum AssetPaths {
    /// The folder of assets without a date.
    static let undatedFolder = "undated"

    /// Returns the path of each resource, by its ID. A resource whose path would be invalid is left out.
    static func paths(of asset: SourceAsset) -> [String: LibraryPath] {
        let folder = asset.created.map { Self.folder(of: $0.month) } ?? undatedFolder
        let stem = Self.stem(of: asset)
        let mark = Self.mark(of: asset.stableID)
        var paths: [String: LibraryPath] = [:]
        var used: Set<LibraryPath> = []
        for resource in asset.resources {
            if let path = resource.path {
                paths[resource.id] = LibraryPath(path)
                continue
            }
            let name = stem + fileExtension(of: sanitized(resource.name))
            let full = resource.isEdited ? "\(mark)\(MediaName.editedSuffix)" : mark
            // Two resources of one kind and type, such as two pictures of one photo.
            let marks = [full] + (2...max(2, asset.resources.count)).map { "\(full) \($0)" }
            let candidates = marks.lazy.compactMap { LibraryPath("\(folder)/\(name)")?.withRemark($0) }
            guard let path = candidates.first(where: { !used.contains($0) }) else { continue }
            used.insert(path)
            paths[resource.id] = path
        }
        return paths
    }

    private static func folder(of month: CalendarMonth) -> String {
        "\(month.year)/\(month.month < 10 ? "0" : "")\(month.month)"
    }

    /// Returns the name without extension of the first original.
    private static func stem(of asset: SourceAsset) -> String {
        let original = asset.resources.first { !$0.isEdited } ?? asset.resources.first
        let name = sanitized(original?.name ?? "")
        let stem = String(name.dropLast(fileExtension(of: name).count))
        return stem.allSatisfy { $0 == "." } ? "asset" : stem
    }

    /// Returns the extension with its dot; empty if there is none.
    private static func fileExtension(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 16
        else { return "" }
        return String(name[dot...])
    }

    /// The longest stem and extension in bytes, which leaves space for the mark.
    private static let longestName = 180

    /// Returns a name that is valid in a path.
    private static func sanitized(_ name: String) -> String {
        var text = String(name.map { $0 == "/" || $0 == "\0" || $0 == "\\" ? "_" : $0 })
        guard text.utf8.count > longestName else { return text }
        let tail = fileExtension(of: text)
        text.removeLast(tail.count)
        while text.utf8.count + tail.utf8.count > longestName, !text.isEmpty { text.removeLast() }
        return text + tail
    }

    static func mark(of stableID: String) -> String {
        String(ContentDigest(of: ByteBuffer(string: stableID)).description.prefix(MediaName.markLength))
    }
}
