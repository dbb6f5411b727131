import Foundation

/// A temporary folder that is deleted when it is deinitialized.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let place = Self.newPlace
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        path = place.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    /// Creates a folder with a copy of another folder's contents.
    package init(copyOf folder: String) throws {
        let place = Self.newPlace
        try FileManager.default.copyItem(atPath: folder, toPath: place.path(percentEncoded: false))
        path = place.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    private static var newPlace: URL {
        let name = "photolala-\(ProcessInfo.processInfo.globallyUniqueString)"
        return FileManager.default.temporaryDirectory.appending(path: name)
    }

    deinit {
        _ = try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    package func subpath(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ name: String, _ bytes: [UInt8], modified: Date? = nil) throws {
        let file = URL(filePath: subpath(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        guard let modified else { return }
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file.path)
    }

    /// A name that cannot be used in a library: it is the spelling of another one.
    package static let unusableName = "%%a%FFb"

    /// Writes an empty file with that name.
    package func writeUnusableName() throws { try write(Self.unusableName, []) }

    /// Writes a file whose name and folder names need not be UTF-8.
    package func write(at names: [[UInt8]], _ bytes: [UInt8]) throws {
        var place = Array(path.utf8)
        for name in names.dropLast() {
            place += [UInt8(ascii: "/")] + name
            guard mkdir((place + [0]).map(CChar.init(bitPattern:)), 0o755) == 0 || errno == EEXIST else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        place += [UInt8(ascii: "/")] + (names.last ?? [])
        guard let file = fopen((place + [0]).map(CChar.init(bitPattern:)), "w") else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Whether the file at such a path has these bytes.
    package func has(_ bytes: [UInt8], at names: [[UInt8]]) -> Bool {
        let place = names.reduce(Array(path.utf8)) { $0 + [UInt8(ascii: "/")] + $1 } + [0]
        guard let file = fopen(place.map(CChar.init(bitPattern:)), "r") else { return false }
        defer { fclose(file) }
        var found = [UInt8](repeating: 0, count: bytes.count + 1)
        return fread(&found, 1, found.count, file) == bytes.count && found.dropLast().elementsEqual(bytes)
    }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: subpath(name), withIntermediateDirectories: true)
    }

    package func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: subpath(name)))) }

    package func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: subpath(name))[.modificationDate] as? Date
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: subpath(name), withDestinationPath: target)
    }

    /// The relative paths of all files in the folder.
    package func files() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return all.filter { !((try? FileManager.default.contentsOfDirectory(atPath: subpath($0))) != nil) }.sorted()
    }
}
