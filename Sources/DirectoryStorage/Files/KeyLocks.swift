import ObjectStorage

/// One lock per key that holds between threads and between processes: keys share 256 lock files.
struct KeyLocks: Sendable {
    static let folder = ".locks"

    let root: String

    /// Waits for the key's lock; it is held as long as the result lives.
    func lock(_ key: ObjectKey) throws(ObjectStoreError) -> OpenFile {
        try lock(named: "key-\(Self.stripe(of: key))")
    }

    /// Waits for the lock under which a store is opened.
    func lockOpening() throws(ObjectStoreError) -> OpenFile { try lock(named: "open") }

    private func lock(named name: String) throws(ObjectStoreError) -> OpenFile {
        // Each holder opens the file anew: `flock` belongs to the opening, so that threads exclude each other too.
        let file = try OpenFile.writing("\(root)/\(Self.folder)/\(name)")
        try file.lock()
        return file
    }

    /// FNV-1a, folded to a byte: every process must find the same number, which `Hasher` does not promise.
    private static func stripe(of key: ObjectKey) -> UInt64 {
        let hash = key.description.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return (hash ^ hash >> 32) & 0xff
    }
}
