import Foundation

/// A folder of the test's own that is gone when the test lets go of it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "photolala-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        path = place.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    /// With a copy of what is in a folder.
    init(copyOf folder: String) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "photolala-\(UUID().uuidString)")
        try FileManager.default.copyItem(atPath: folder, toPath: place.path(percentEncoded: false))
        path = place.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    deinit {
        _ = try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func place(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ bytes: [UInt8], modified: Date? = nil) throws {
        let file = URL(filePath: place(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        guard let modified else { return }
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file.path)
    }

    /// An empty file whose name is not UTF-8.
    func writeOddName() throws {
        let odd: [CChar] = path.utf8CString.dropLast() + [47, 97, -1, 98, 0]
        guard let file = fopen(odd, "w") else { throw CocoaError(.fileWriteUnknown) }
        fclose(file)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: place(name), withIntermediateDirectories: true)
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: place(name)))) }

    func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: place(name))[.modificationDate] as? Date
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: place(name), withDestinationPath: target)
    }

    /// Every file below, by its relative path.
    func files() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return all.filter { !((try? FileManager.default.contentsOfDirectory(atPath: place($0))) != nil) }.sorted()
    }
}
