import ObjectStorage

/// A lock per key that holds between threads and between processes. All keys share 256 lock files.
struct KeyLocks: Sendable {
    static let folder = ".locks"

    let root: String

    /// Waits for the key's lock, which is held as long as the result exists.
    func lock(_ key: ObjectKey) throws(ObjectStoreError) -> OpenFile {
        try lock(named: "key-\(Self.stripe(of: key))")
    }

    /// Waits for the lock that serializes opening a store.
    func lockOpening() throws(ObjectStoreError) -> OpenFile { try lock(named: "open") }

    private func lock(named name: String) throws(ObjectStoreError) -> OpenFile {
        // Opens the file for each acquisition: `flock` belongs to the open file description, so threads exclude each
        // other too.
        let file = try OpenFile.writing("\(root)/\(Self.folder)/\(name)")
        try file.lock()
        return file
    }

    /// FNV-1a, folded to a byte. Every process must compute the same number, which `Hasher` does not guarantee.
    private static func stripe(of key: ObjectKey) -> UInt64 {
        let hash = key.description.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return (hash ^ hash >> 32) & 0xff
    }
}
