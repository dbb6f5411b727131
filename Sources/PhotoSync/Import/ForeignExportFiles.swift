import ForeignExports
import NIOCore
import PhotoCatalog

/// The files of an export: in ZIP archives, and in folders into which archives were unpacked.
final class ForeignExportFiles: Sendable {
    /// All readable files.
    let files: [ExportedFile]
    private let locations: [ExportLocation]
    /// Files that cannot be read, with their paths in the export.
    let refused: [(path: String, refusal: ZipMember.Refusal)]
    /// Identifies the export on this device.
    let id: String

    private init(_ listing: Listing) {
        (files, locations, refused) = (listing.files, listing.locations, listing.refused)
        id = ContentDigest(of: ByteBuffer(string: listing.identity.sorted().joined(separator: "\n"))).description
    }

    private struct Listing {
        var files: [ExportedFile] = []
        var locations: [ExportLocation] = []
        var refused: [(path: String, refusal: ZipMember.Refusal)] = []
        /// A text for each archive and folder.
        var identity: [String] = []
        /// The paths and sizes of files in folders in which archives are opened.
        var unpacked: Set<String> = []

        mutating func add(_ file: ExportedFile, _ location: ExportLocation) {
            files.append(file)
            locations.append(location)
        }
    }

    /// Opens archives and folders. Blocks.
    /// - Parameter opensArchives: Whether archives in folders are opened, as if they were unpacked there.
    static func open(
        _ paths: [String], opensArchives: Bool = false
    ) throws(ForeignExportError) -> ForeignExportFiles {
        var listing = Listing()
        for path in paths {
            if let folder = try? LocalFolder.resolve(path) {
                let identity = "folder \(folder)"
                guard !listing.identity.contains(identity) else { continue }
                listing.identity.append(identity)
                do throws(FileError) {
                    let container = listing.identity.count
                    try add(
                        folder, below: "", depth: 0, in: container, opensArchives: opensArchives, to: &listing)
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
                listing.refused.append((path, refusal))
            } else if folder == nil || !listing.unpacked.contains("\(path) \(member.size)") {
                let found = ExportedFile(
                    path: path, size: member.size, crc32: member.crc32, modified: member.modified,
                    container: container ?? listing.identity.count)
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

    /// Adds the files of a folder. Links are not followed.
    private static func add(
        _ folder: String, below path: String, depth: Int, in container: Int, opensArchives: Bool,
        to listing: inout Listing
    ) throws(FileError) {
        // Sorted: a folder precedes the archive that was unpacked into it.
        for bytes in try FolderListing.names(of: folder) {
            let name = String(decoding: bytes, as: UTF8.self)
            // A name that is not UTF-8 cannot be opened by its text.
            guard Array(name.utf8) == bytes else { continue }
            let (local, inside) = ("\(folder)/\(name)", path.isEmpty ? name : "\(path)/\(name)")
            if opensArchives, name.lowercased().hasSuffix(".zip"),
                (try? add(archive: local, as: String(inside.dropLast(4)), in: container, to: &listing)) != nil
            {
                continue
            }
            do throws(FileError) {
                let fingerprint = try OpenFile(local).fingerprint()
                if opensArchives { listing.unpacked.insert("\(inside) \(fingerprint.size)") }
                let found = ExportedFile(
                    path: inside, size: fingerprint.size, crc32: nil, modified: fingerprint.modified,
                    container: container)
                listing.add(found, .path(local))
            } catch {
                guard error == .wrongKind, depth < maximumDepth else { continue }
                try? add(
                    local, below: inside, depth: depth + 1, in: container, opensArchives: opensArchives, to: &listing)
            }
        }
    }

    /// Whether the files are those of an export of Photolala, whose descriptions have the form of Google's.
    var isOwnExport: Bool { files.contains { $0.path == "verify-export" } }

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

/// Where the bytes of a file of an export are.
enum ExportLocation: Sendable {
    case member(ZipMember, OpenFile)
    case path(String)
}

/// The reason why an export cannot be imported.
package enum ForeignExportError: Error, Equatable, Sendable {
    case file(String, FileError)
    case archive(String, ZipError)
    /// A `.tgz` archive, which can only be read from its beginning.
    case compressedTar(String)
    /// The files are an export of Photolala.
    case ownExport
    /// The files are an export of another service than the given one.
    case otherService(ForeignService)
    /// There are no photos of the service in the files.
    case noPhotos
}
