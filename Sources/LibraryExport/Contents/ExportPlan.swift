import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// The layout of an export, a ZIP archive: which files it has, and where each byte of it is.
///
/// The archive begins with the account's files, the list of missing photos and the catalog, its head. Everything else
/// depends on the head alone, so that an interrupted export continues from a stored head. Photos and their sidecars
/// follow, then the manifest, its signature and the central directory.
package struct ExportPlan: Sendable {
    package let description: ExportDescription
    /// The files of the head, in order.
    package let files: [ExportFile]
    package let items: ExportItems
    /// The positions of the items, and the position after the last, where the manifest begins.
    package let starts: [Int64]
    /// The size of the manifest in bytes.
    let manifestSize: Int64
    private let end: ZipEnd

    /// The size of the archive in bytes.
    package var size: Int64 { end.directoryOffset + end.directorySize + end.size }
    /// The size of the head in bytes.
    package var headSize: Int64 { starts[0] }

    var endBytes: ByteBuffer { end.bytes }
    var directoryOffset: Int64 { end.directoryOffset }
    var manifestOffset: Int64 { starts[starts.count - 1] }
    var signatureOffset: Int64 { manifestOffset + Int64(manifestEntry.headerSize) + manifestSize }

    var manifestEntry: ZipEntry {
        ZipEntry(name: ExportPath.manifest, size: manifestSize, modified: created)
    }
    var signatureEntry: ZipEntry {
        ZipEntry(
            name: ExportPath.signature, size: Int64(description.signatureSize), modified: created)
    }

    /// The time that the files of the head have.
    var created: Timestamp { Timestamp(whole: description.created) }

    /// Lays out an export.
    /// - Parameter files: The account's files.
    /// - Throws: `tooLarge` if the sizes of the photos add up to more than an archive can have, or if the head has more
    ///   than 1 GiB; `tooManyDifferences`.
    package init(
        _ description: ExportDescription, files: [ExportFile], catalog: Catalog, stored: StoreDifferences
    ) throws(ExportError) {
        let items = ExportItems(catalog, stored)
        let head =
            [ExportFile(path: ExportPath.description, bytes: try Self.encode(description))] + files + [
                ExportFile(path: ExportPath.missing, bytes: try Self.encode(MissingPhotos(items, stored))),
                ExportFile(path: ExportPath.catalog, bytes: CatalogCSV.encode(catalog)),
            ]
        try self.init(description, head: head, items: items)
    }

    private init(
        _ description: ExportDescription, head files: [ExportFile], items: ExportItems
    ) throws(ExportError) {
        (self.description, self.files, self.items) = (description, files, items)
        let created = Timestamp(whole: description.created)
        guard files.reduce(0, { $0 + $1.bytes.readableBytes }) <= Self.maximumHead else { throw .tooLarge }
        var layout = ExportLayout()
        var manifest = ExportManifest.opening(description)
        for (index, file) in files.enumerated() {
            let entry = file.zipEntry(at: created)
            try layout.add(entry)
            ExportManifest.appendLine(entry, sha256: nil, isFirst: index == 0, to: &manifest)
        }
        var (starts, manifestSize, line) = ([Int64](), Int64(manifest.count), [UInt8]())
        starts.reserveCapacity(items.count + 1)
        for index in 0..<items.count {
            starts.append(layout.position)
            let item = items[index]
            try layout.add(item.photoEntry)
            line.removeAll(keepingCapacity: true)
            ExportManifest.appendLine(item, nil, to: &line)
            if let sidecar = item.sidecarEntry {
                try layout.add(sidecar)
                ExportManifest.appendLine(sidecar, sha256: nil, to: &line)
            }
            manifestSize += Int64(line.count)
        }
        starts.append(layout.position)
        (self.starts, self.manifestSize) = (starts, manifestSize + Int64(ExportManifest.closing.count))
        try layout.add(ZipEntry(name: ExportPath.manifest, size: self.manifestSize, modified: created))
        try layout.add(
            ZipEntry(name: ExportPath.signature, size: Int64(description.signatureSize), modified: created))
        end = layout.end
    }

    /// The largest head in bytes.
    package static let maximumHead = 1 << 30

    private static func encode(_ value: some Encodable) throws(ExportError) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { throw .malformed("encoding") }
        return ByteBuffer(bytes: data + Data("\n".utf8))
    }
}

extension ExportPlan {
    /// The archive's head: all bytes before the first photo.
    package var head: ByteBuffer {
        var head = ByteBuffer()
        head.reserveCapacity(Int(clamping: headSize))
        for file in files {
            head.writeImmutableBuffer(file.zipEntry(at: created).header(crc32: file.crc32))
            head.writeImmutableBuffer(file.bytes)
        }
        return head
    }

    /// Lays out the export that a stored head, or an archive that was not completed, belongs to.
    /// - Parameter bytes: The archive's beginning, with at least the head.
    /// - Throws: `malformed` if it is not the beginning of an export.
    package init(head bytes: ByteBuffer) async throws {
        var (bytes, files) = (bytes, [ExportFile]())
        while files.last?.path != ExportPath.catalog { files.append(try Self.readFile(&bytes)) }
        guard files.count >= 3, files[0].path == ExportPath.description,
            files[files.count - 2].path == ExportPath.missing, let catalog = files.last
        else { throw ExportError.malformed("order of the files") }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard
            let description = try? decoder.decode(ExportDescription.self, from: Data(files[0].bytes.readableBytesView)),
            description.format == ExportDescription.format,
            let missing = try? decoder.decode(
                MissingPhotos.self, from: Data(files[files.count - 2].bytes.readableBytesView))
        else { throw ExportError.malformed(ExportPath.description) }
        let rows = try await CatalogCSV.decode(catalog.bytes, parallel: 1).rows
        try self.init(description, head: files, items: ExportItems(rows, missing.differences))
    }

    private static func readFile(_ bytes: inout ByteBuffer) throws(ExportError) -> ExportFile {
        guard let header = ZipHeader(bytes) else { throw .malformed("file header") }
        bytes.moveReaderIndex(forwardBy: header.size)
        guard let content = bytes.readSlice(length: Int(header.contentSize)) else { throw .malformed(header.name) }
        let file = ExportFile(
            path: header.name, bytes: content, isExecutable: header.name == ExportPath.verifyScript)
        guard file.crc32 == header.crc32 else { throw .malformed(header.name) }
        return file
    }
}

/// The positions of an archive's files while they are laid out.
private struct ExportLayout {
    private(set) var position: Int64 = 0
    private var count = 0
    private var directorySize: Int64 = 0

    /// Larger archives would need positions that overflow.
    private static let largest: Int64 = 1 << 60

    mutating func add(_ entry: ZipEntry) throws(ExportError) {
        directorySize += Int64(entry.recordSize(at: position))
        guard entry.size < Self.largest, position < Self.largest else { throw .tooLarge }
        position += Int64(entry.headerSize) + entry.size
        count += 1
    }

    var end: ZipEnd { ZipEnd(count: count, directorySize: directorySize, directoryOffset: position) }
}

/// `missing.json`: what the export does not have, and how the other stored photos differ from the catalog.
private struct MissingPhotos: Codable {
    enum Reason: String, Codable {
        case notStored = "not_stored"
        /// Archived in the store.
        case archived
        /// Stored under a name that is not a photo's, or too large for the account's files.
        case leftOut = "left_out"
    }

    struct Photo: Codable {
        let path: String
        let md5: String?
        let size: Int64
        let reason: Reason
    }

    /// A content whose length in bytes is not the catalog's, or that is not in the catalog.
    struct Content: Codable {
        let md5: String
        let size: Int64
    }

    let missing: [Photo]
    let otherSizes: [Content]
    let unlisted: [Content]

    /// The largest list in bytes. Its paths are untrusted, and JSON writes up to six bytes for one.
    private static let limit = 64 << 20

    init(_ items: ExportItems, _ stored: StoreDifferences) throws(ExportError) {
        let (lost, archived) = (items.missingEntries(), items.archivedEntries())
        let paths = (lost + archived).reduce(0) { $0 + 6 * $1.path.description.utf8.count + 120 }
        let names = stored.others.reduce(0) { $0 + 6 * $1.name.utf8.count + 120 }
        guard paths + names <= Self.limit else { throw .tooManyDifferences }
        missing =
            lost.map { Photo($0, .notStored) } + archived.map { Photo($0, .archived) }
            + stored.others.map { Photo(path: $0.name, md5: nil, size: $0.size, reason: .leftOut) }
        otherSizes = stored.sizes.sorted { $0.key < $1.key }.map { Content(md5: $0.key.description, size: $0.value) }
        unlisted = stored.unlisted.map { Content(md5: $0.md5.description, size: $0.size) }
    }

    var differences: StoreDifferences {
        var stored = StoreDifferences()
        for photo in missing {
            guard let md5 = photo.md5.flatMap({ ContentDigest($0) }) else { continue }
            if photo.reason == .archived { stored.archived.insert(md5) } else { stored.missing.insert(md5) }
        }
        for content in otherSizes where content.size >= 0 {
            ContentDigest(content.md5).map { stored.sizes[$0] = content.size }
        }
        stored.unlisted = unlisted.compactMap { content in
            content.size < 0 ? nil : ContentDigest(content.md5).map { ($0, content.size) }
        }
        return stored
    }
}

extension MissingPhotos.Photo {
    fileprivate init(_ entry: CatalogEntry, _ reason: MissingPhotos.Reason) {
        self.init(path: entry.path.description, md5: entry.md5.description, size: entry.size, reason: reason)
    }
}
