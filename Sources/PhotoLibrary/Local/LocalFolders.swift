import NIOCore

/// The folders of the local library, each in a small file of its own, so that two processes never take one away from
/// each other. Blocks.
struct LocalFolders {
    private static let prefix = "local-folder-"

    let stateFolder: String

    /// Their paths in the order of their names.
    func all() throws(FileError) -> [String] {
        let names: [[UInt8]]
        do throws(FileError) {
            names = try FolderListing.names(of: stateFolder)
        } catch .missing {
            return []
        }
        var folders: [String] = []
        for name in names where name.starts(with: Self.prefix.utf8) {
            let place = "\(stateFolder)/\(String(decoding: name, as: UTF8.self))"
            // Another process may be writing or removing one.
            guard let bytes = try? StateFile.read(place) else { continue }
            let path = String(buffer: bytes)
            // What is not under its own name is a piece of one.
            if place == file(path) { folders.append(path) }
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
