import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

/// The files of an export of Ente.
struct EnteFixture {
    private(set) var files: [ExportedFile] = []
    private(set) var descriptions: [Int: EnteDescription] = [:]

    mutating func add(_ path: String, size: Int64, crc32: UInt32? = nil) {
        files.append(
            ExportedFile(path: path, size: size, crc32: crc32, modified: Timestamp(seconds: 0, nanoseconds: 0)))
    }

    mutating func add(_ path: String, json: String) {
        descriptions[files.count] = EnteDescription.read(ByteBuffer(string: json))
        add(path, size: 5)
    }

    /// Adds a photo as the desktop app does.
    mutating func addDesktop(_ album: String, _ name: String, size: Int64, taken: Int = EnteJSON.taken) {
        add("\(album)/\(name)", size: size)
        add("\(album)/metadata/\(name).json", json: EnteJSON.desktop(name, taken: taken))
    }

    /// Adds a photo as `ente export` does.
    mutating func addCLI(_ album: String, _ id: Int, _ names: KeyValuePairs<String, Int64>) {
        for (name, size) in names { add("\(album)/\(name)", size: size) }
        add("\(album)/.meta/\(names[0].key).json", json: EnteJSON.cli(id, names.map(\.key)))
    }

    func read(includesTrashed: Bool = false) throws -> EnteExport {
        var options = ForeignExportOptions(destination: try #require(LibraryPath("E")))
        options.includesTrashed = includesTrashed
        return EnteExport(files, descriptions, options)
    }

    func paths() throws -> [String] {
        try read().items.flatMap { [$0.path] + $0.alsoAt }.map(\.description).sorted()
    }
}
