import NIOCore
import PhotoCatalog

/// The files of a source while its assets are listed, by folder.
struct AssetListing {
    private let journal: BackupJournal
    private let earlier: AssetIndex
    private(set) var index = AssetIndex()
    /// The content of each folder; `nil` is the root.
    private var folders: [LibraryPath?: FolderContent] = [nil: FolderContent()]
    /// The dates of assets, for their resources that no backup has read.
    private(set) var unreadDates: [LibraryPath: Timestamp] = [:]

    init(journal: BackupJournal, earlier: AssetIndex) { (self.journal, self.earlier) = (journal, earlier) }

    /// Adds an asset as the source describes it. A resource keeps the path that this device has given it, even if the
    /// date of the asset was changed since.
    mutating func add(_ asset: SourceAsset) {
        // A library that changes while it is listed can return an asset twice.
        guard index.paths[asset.id] == nil else { return }
        for kind in AssetMark.Kind.allCases {
            let (mark, isSet) = (earlier.marks[kind]?[asset.id], asset.has(kind))
            guard isSet || mark != nil else { continue }
            index.marks[kind, default: [:]][asset.id] = AssetMark(isSet: isSet, synced: mark?.synced ?? "")
        }
        let (derived, known) = (AssetPaths.paths(of: asset), earlier.paths[asset.id])
        for resource in asset.resources {
            let remembered = resource.path == nil ? known?[resource.id] : nil
            guard let path = remembered ?? derived[resource.id] else {
                folders[nil]?.problems.append(
                    ScanProblem(path: resource.path ?? resource.name, reason: .unusableName, size: resource.size))
                continue
            }
            let item = AssetIndex.Item(asset: asset.id, resource: resource.id, modified: resource.modified)
            guard index.add(path, item) else {
                folders[nil]?.problems.append(
                    ScanProblem(path: path.description, reason: .repeatedPath, size: resource.size))
                continue
            }
            append(path, item, size: resource.size, created: asset.created)
        }
    }

    /// Adds an asset that has not changed since the last listing.
    /// - Returns: `false` if its resources were not all read since, so that the source must describe it.
    mutating func addUnchanged(_ asset: String) -> Bool {
        let paths = (earlier.paths[asset] ?? [:]).values
        let items = paths.compactMap { path in earlier.items[path].map { (path: path, item: $0) } }
        guard items.allSatisfy({ recorded($0.path, $0.item, size: nil) != nil }) else { return false }
        for kind in AssetMark.Kind.allCases {
            if let mark = earlier.marks[kind]?[asset] { index.marks[kind, default: [:]][asset] = mark }
        }
        for (path, item) in items where index.add(path, item) { append(path, item, size: nil, created: nil) }
        return true
    }

    private mutating func append(_ path: LibraryPath, _ item: AssetIndex.Item, size: Int64?, created: Timestamp?) {
        let folder = LibraryPath(path.folder)
        let type = FileExtensions.usualType(of: path.name) ?? .unread
        let file: ScannedFile
        switch recorded(path, item, size: size) {
        case .nonMedia(let fingerprint):
            let left = LeftOutFile(path: path, reason: .ofNonMedia(path.name, size: fingerprint.size))
            folders[folder, default: FolderContent()].leftOut.append(left)
            return
        case .file(let entry):
            file = ScannedFile(path: path, fingerprint: entry.fingerprint, type: entry.type, isSequential: true)
        case nil:
            unreadDates[path] = created
            let fingerprint = FileFingerprint(of: item, size: size ?? FileFingerprint.unknownSize)
            file = ScannedFile(path: path, fingerprint: fingerprint, type: type, isSequential: true)
        }
        folders[folder, default: FolderContent()].files.append(file)
    }

    private enum Recorded {
        case file(BackupJournal.Entry)
        case nonMedia(FileFingerprint)
    }

    /// Returns what an earlier backup found in a resource, if it is unchanged.
    private func recorded(_ path: LibraryPath, _ item: AssetIndex.Item, size: Int64?) -> Recorded? {
        if let entry = journal.entry(path), entry.fingerprint.isOf(item, size: size) { return .file(entry) }
        if let known = journal.nonMediaFingerprint(path), known.isOf(item, size: size) { return .nonMedia(known) }
        return nil
    }

    /// Returns the content of each folder. That of the root names the others.
    func contents() -> [LibraryPath?: FolderContent] {
        var contents = folders
        for folder in contents.keys {
            contents[folder]?.dropStraySidecars()
            // Whether a sidecar has a photo is determined at each listing.
            contents[folder]?.nonMedia = []
            contents[folder]?.findClashes()
        }
        contents[nil]?.folders = folders.keys.compactMap(\.self).sorted()
        return contents
    }
}

extension FileFingerprint {
    /// Creates the fingerprint of a resource. Different resources have different ones, also at the same path.
    init(of item: AssetIndex.Item, size: Int64) {
        self.init(size: size, modified: item.modified, changed: item.modified, inode: item.number)
    }

    /// Returns whether a resource is unchanged.
    /// - Parameter size: Its length in bytes; `nil` if it is unknown.
    func isOf(_ item: AssetIndex.Item, size: Int64?) -> Bool {
        self == FileFingerprint(of: item, size: size ?? self.size)
    }
}

extension AssetIndex.Item {
    /// A number that distinguishes resources, in place of a file's inode number.
    var number: UInt64 {
        let digest = ContentDigest(of: ByteBuffer(string: "\(asset)\n\(resource)"))
        return UInt64(digest.description.prefix(16), radix: 16) ?? 0
    }
}

extension LeftOutFile.Reason {
    /// Returns the reason why a file without a known format is left out.
    static func ofNonMedia(_ name: String, size: Int64) -> LeftOutFile.Reason {
        size == 0 ? .empty : FileExtensions.isNamedLikeMedia(name) ? .unknownFormat : .noPhotoOrVideo
    }
}
