import NIOCore
import PhotoCatalog

/// The folders of the local library. Each is stored in a small file of its own, so that concurrent processes do not
/// overwrite each other's entries. Blocks.
struct LocalFolders {
    private static let prefix = "local-folder-"

    let stateFolder: String

    /// Returns the paths of all folders, sorted.
    func all() throws(FileError) -> [String] {
        let names: [[UInt8]]
        do throws(FileError) {
            names = try FolderListing.names(of: stateFolder)
        } catch .missing {
            return []
        }
        var folders: [String] = []
        for name in names where name.starts(with: Self.prefix.utf8) {
            let record = "\(stateFolder)/\(String(decoding: name, as: UTF8.self))"
            // Another process may be writing or removing the file.
            guard let bytes = try? StateFile.read(record) else { continue }
            let path = String(buffer: bytes)
            // A file whose name does not match its content is incomplete.
            if record == file(path) { folders.append(path) }
        }
        return folders.sorted()
    }

    func add(_ folder: String) throws(FileError) {
        try LocalFolder.create(stateFolder)
        try StateFile.replace(file(folder), with: ByteBuffer(string: folder))
    }

    func remove(_ folder: String) { StateFile.remove(file(folder)) }

    private func file(_ folder: String) -> String {
        "\(stateFolder)/\(Self.prefix)\(ContentDigest(of: ByteBuffer(string: folder)))"
    }
}
