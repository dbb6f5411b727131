import Crypto
import ForeignExports
import Foundation
import LibraryExport
import NIOCore
import PhotoCatalog

/// The files of an export: in ZIP archives, and in folders into which archives were unpacked.
final class ForeignExportFiles: Sendable {
    /// All readable files.
    let files: [ExportedFile]
    private let locations: [ExportLocation]
    /// Files, folders and archives that cannot be read, with their paths in the export.
    let unreadable: [(path: String, reason: UnreadableFile)]
    /// Identifies the export on this device.
    let id: String

    private init(_ listing: Listing) {
        (files, locations, unreadable) = (listing.files, listing.locations, listing.unreadable)
        id = ContentDigest(of: ByteBuffer(string: listing.identity.sorted().joined(separator: "\n"))).description
    }

    private init(_ other: ForeignExportFiles, _ files: [ExportedFile]) {
        (self.files, locations, unreadable, id) = (files, other.locations, other.unreadable, other.id)
    }

    private struct Listing {
        var files: [ExportedFile] = []
        var locations: [ExportLocation] = []
        var unreadable: [(path: String, reason: UnreadableFile)] = []
        /// A text for each archive and folder.
        var identity: [String] = []
        /// The paths and sizes of files in folders.
        var unpacked: Set<String> = []

        mutating func add(_ file: ExportedFile, _ location: ExportLocation) {
            files.append(file)
            locations.append(location)
        }
    }

    /// Opens archives and folders. Archives in folders are opened as if they were unpacked there. Blocks.
    static func open(_ paths: [String]) throws(ForeignExportError) -> ForeignExportFiles {
        var listing = Listing()
        let folders = paths.map { try? LocalFolder.resolve($0) }
        for (path, folder) in zip(paths, folders) {
            if let folder {
                let identity = "folder \(folder)"
                let isInAnother = folders.contains { $0.map { folder.hasPrefix("\($0)/") } ?? false }
                guard !isInAnother, !listing.identity.contains(identity) else { continue }
                listing.identity.append(identity)
                do throws(FileError) {
                    let name = try hasFiles(folder) ? String(folder.split(separator: "/").last ?? "") : ""
                    try add(folder, below: name, depth: 0, in: listing.identity.count, to: &listing)
                } catch {
                    throw .file(path, error)
                }
            } else {
                try add(archive: path, to: &listing)
            }
        }
        return ForeignExportFiles(listing)
    }

    /// - Parameters:
    ///   - folder: Where the archive's files would be if it were unpacked in the folder in which it is; `nil` for an archive
    ///     that was given.
    ///   - container: The number of the given folder in which the archive is.
    private static func add(
        archive path: String, as folder: String? = nil, in container: Int? = nil, to listing: inout Listing
    ) throws(ForeignExportError) {
        let (file, beginning): (OpenFile, ByteBuffer)
        let (found, bytes): (Result<ZipDirectory, ZipError>, ByteBuffer)
        do throws(FileError) {
            file = try OpenFile(path)
            beginning = try file.read(from: 0, count: 2)
            found = try directory(of: file)
            let directory = try? found.get()
            bytes = try file.read(from: directory?.offset ?? 0, count: Int(directory?.length ?? 0))
        } catch {
            throw .file(path, error)
        }
        if beginning.readableBytesView.elementsEqual([0x1f, 0x8b]) { throw .compressedTar(path) }
        let members: [ZipMember]
        do throws(ZipError) { members = try found.get().members(bytes) } catch { throw .archive(path, error) }
        // An archive that is given twice, such as a second download, is one.
        let identity = "archive \(ContentDigest(of: bytes))"
        guard !listing.identity.contains(identity) else { return }
        listing.identity.append(identity)
        let prefix = folder.map { folder in
            let parent = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[...$0]) } ?? ""
            // Programs that unpack an archive add no folder around one of the same name.
            return members.allSatisfy { (parent + $0.name).hasPrefix("\(folder)/") } ? parent : "\(folder)/"
        }
        for member in members where !member.isFolder {
            let path = (prefix ?? "") + member.name
            if let refusal = member.refusal {
                listing.unreadable.append((path, .member(refusal)))
            } else if folder == nil || !listing.unpacked.contains("\(path) \(member.size)") {
                let found = ExportedFile(
                    path: path, size: member.size, crc32: member.crc32, modified: member.modified,
                    container: container ?? listing.identity.count, revision: "\(member.crc32)")
                listing.add(found, .member(member, file))
            }
        }
    }

    private static func directory(of file: OpenFile) throws(FileError) -> Result<ZipDirectory, ZipError> {
        let size = try file.fingerprint().size
        let count = min(Int64(ZipDirectory.tailLength), size)
        let tail = try file.read(from: size - count, count: Int(count))
        do throws(ZipError) {
            switch try ZipDirectory.tail(tail, size: size) {
            case .directory(let directory): return .success(directory)
            case .zip64(let position):
                let record: ByteBuffer
                do throws(FileError) {
                    record = try file.read(from: position, count: ZipDirectory.zip64RecordLength)
                } catch { return .failure(.damagedDirectory) }
                return .success(try ZipDirectory(zip64Record: record, size: size))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Folders that are nested more deeply are not part of an export.
    private static let maximumDepth = 16

    /// Returns whether a folder has files itself: it then can be one of the folders of an export, whose name counts.
    private static func hasFiles(_ folder: String) throws(FileError) -> Bool {
        try FolderListing.names(of: folder).contains { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            guard !name.hasPrefix("."), !isArchive(name), !isCompressedTar(name) else { return false }
            return (try? OpenFile("\(folder)/\(name)")) != nil
        }
    }

    private static func isArchive(_ name: String) -> Bool { name.lowercased().hasSuffix(".zip") }

    private static func isCompressedTar(_ name: String) -> Bool { name.lowercased().hasSuffix(".tgz") }

    /// Adds the files of a folder. Links are not followed.
    private static func add(
        _ folder: String, below path: String, depth: Int, in container: Int, to listing: inout Listing
    ) throws(FileError) {
        // Sorted: a folder precedes the archive that was unpacked into it.
        for bytes in try FolderListing.names(of: folder) {
            let name = String(decoding: bytes, as: UTF8.self)
            let (local, inside) = ("\(folder)/\(name)", path.isEmpty ? name : "\(path)/\(name)")
            do throws(UnreadableFile) {
                guard Array(name.utf8) == bytes else { throw .nameNotUTF8 }
                if isCompressedTar(name) { throw .compressedTar }
                if isArchive(name), try addArchive(local, as: inside, in: container, to: &listing) { continue }
                try add(local, as: inside, depth: depth, in: container, to: &listing)
            } catch {
                listing.unreadable.append((inside, error))
            }
        }
    }

    /// Adds an archive in a folder.
    /// - Returns: `false` for a folder of such a name.
    private static func addArchive(
        _ local: String, as inside: String, in container: Int, to listing: inout Listing
    ) throws(UnreadableFile) -> Bool {
        do throws(ForeignExportError) {
            try add(archive: local, as: String(inside.dropLast(4)), in: container, to: &listing)
            return true
        } catch {
            switch error {
            case .file(_, .wrongKind): return false
            case .file(_, let error): throw .file(error)
            case .archive(_, let error): throw .archive(error)
            default: throw .compressedTar
            }
        }
    }

    /// Adds a file, or the files of a folder.
    private static func add(
        _ local: String, as inside: String, depth: Int, in container: Int, to listing: inout Listing
    ) throws(UnreadableFile) {
        let fingerprint: FileFingerprint
        do throws(FileError) { fingerprint = try OpenFile(local).fingerprint() } catch {
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: local)) != nil { throw .symbolicLink }
            guard error == .wrongKind else { throw .file(error) }
            guard depth < maximumDepth else { throw .nestedTooDeeply }
            do throws(FileError) {
                return try add(local, below: inside, depth: depth + 1, in: container, to: &listing)
            } catch { throw .file(error) }
        }
        listing.unpacked.insert("\(inside) \(fingerprint.size)")
        let found = ExportedFile(
            path: inside, size: fingerprint.size, crc32: nil, modified: fingerprint.modified, container: container,
            revision: "\(fingerprint.modified) \(fingerprint.changed) \(fingerprint.inode)")
        listing.add(found, .path(local))
    }

    /// Returns the files with the checksums of those in folders that may also be in another archive or folder, such as an
    /// archive and the folder into which it was unpacked.
    /// - Throws: `SourceError.cancelled`
    func compared() async throws -> ForeignExportFiles {
        var groups: [String: [Int]] = [:]
        for (index, file) in files.enumerated() where file.size > 0 {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            groups["\(name.precomposedStringWithCanonicalMapping)/\(file.size)", default: []].append(index)
        }
        var compared = files
        for group in groups.values where Set(group.map { files[$0].container }).count > 1 {
            for index in group where files[index].crc32 == nil { compared[index].crc32 = try await checksum(of: index) }
        }
        return ForeignExportFiles(self, compared)
    }

    /// Returns `nil` if the file cannot be read, which the import reports.
    private func checksum(of index: Int) async throws -> UInt32? {
        var checksum = RunningCRC32()
        do {
            for try await piece in bytes(of: index) { checksum.update(piece) }
            return checksum.value
        } catch {
            if let error = error as? SourceError, error == .cancelled { throw error }
            return nil
        }
    }

    /// Returns the digest of a file; `nil` if it cannot be read, which the import reports.
    /// - Throws: `SourceError.cancelled`
    func digest(of index: Int) async throws -> ContentDigest? {
        var hasher = Insecure.MD5()
        do {
            for try await piece in bytes(of: index) { hasher.update(piece) }
            return ContentDigest(hasher.finalize())
        } catch {
            if let error = error as? SourceError, error == .cancelled { throw error }
            return nil
        }
    }

    /// Whether the files are those of an export of Photolala, whose descriptions have the form of Google's.
    var ownExport: OwnExport? {
        // An unpacked export can be in a folder of the given one.
        let folders = Set(
            files.indices.compactMap { index -> String? in
                let parts = files[index].path.split(separator: "/")
                guard parts.last.map(String.init) == ExportPath.description, parts.count <= 3 else { return nil }
                return parts.dropLast().map { "\($0)/" }.joined()
            })
        for (index, file) in files.enumerated() {
            let folder =
                file.path.hasSuffix(ExportPath.catalog) ? String(file.path.dropLast(ExportPath.catalog.count)) : nil
            guard let folder, folders.contains(folder) else { continue }
            if case .member = locations[index] { return .archive }
            return .folder
        }
        return nil
    }

    /// Returns the bytes of a file. An archive's file is verified at its end.
    func bytes(of index: Int) -> FileStream { FileStream(files[index], locations[index]) }

    /// Returns the bytes of a short file; `nil` if it is longer than the limit.
    /// - Throws: `SourceError`
    func read(_ index: Int, limit: Int) async throws -> ByteBuffer? {
        guard files[index].size <= limit else { return nil }
        var all = ByteBuffer()
        for try await piece in bytes(of: index) { all.writeImmutableBuffer(piece) }
        return all
    }
}

/// The form of an export of Photolala.
package enum OwnExport: Sendable {
    case archive
    /// A folder into which the archive was unpacked.
    case folder
}

/// Where the bytes of a file of an export are.
enum ExportLocation: Sendable {
    case member(ZipMember, OpenFile)
    case path(String)
}

/// The reason why a file, folder or archive of an export cannot be read.
package enum UnreadableFile: Error, Equatable, Sendable {
    case member(ZipMember.Refusal)
    case file(FileError)
    case archive(ZipError)
    /// A `.tgz` archive, which can only be read from its beginning.
    case compressedTar
    case nameNotUTF8
    case symbolicLink
    case nestedTooDeeply
}

/// The reason why an export cannot be imported.
package enum ForeignExportError: Error, Equatable, Sendable {
    case file(String, FileError)
    case archive(String, ZipError)
    /// A `.tgz` archive, which can only be read from its beginning.
    case compressedTar(String)
    /// The files are an export of Photolala.
    case ownExport(OwnExport)
    /// The files are an export of another service than the given one.
    case otherService(ForeignService)
    /// There are no photos of the service in the files.
    case noPhotos
}
