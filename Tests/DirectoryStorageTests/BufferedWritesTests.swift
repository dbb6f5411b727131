import GRDBSQLite
import PhotolalaTesting
import Testing

@testable import DirectoryStorage

@Suite("Gathered writes")
struct BufferedWritesTests {
    /// A file, and the number of writes to it.
    private struct WrittenFile {
        var bytes: [UInt8] = []
        var calls = 0

        mutating func write(_ new: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
            calls += 1
            let end = Int(offset) + new.count
            if end > bytes.count { bytes += Array(repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: new)
            return SQLITE_OK
        }
    }

    private func write(_ writes: inout BufferedWrites, _ bytes: [UInt8], at offset: Int, _ file: inout WrittenFile)
        -> CInt
    {
        bytes.withUnsafeBytes { bytes in writes.write(bytes, at: Int64(offset)) { file.write($0, $1) } }
    }

    @Test("gathered writes produce the same file as direct writes in any order and size", arguments: UInt64(1)...40)
    func same(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var writes = BufferedWrites()
        defer { writes.deallocate() }
        var (gathered, plain) = (WrittenFile(), WrittenFile())
        var end = 0
        for _ in 0..<400 {
            // Most writes are adjacent to the previous one, as in a log; the others overlap it or are before or after
            // it.
            let start = Int.random(in: 0..<10, using: &random) < 7 ? end : Int.random(in: 0...300_000, using: &random)
            let size = [24, 2048, 4096, Int.random(in: 0...140_000, using: &random)].randomElement(using: &random) ?? 0
            let bytes = [UInt8](repeating: .random(in: 1...255, using: &random), count: size)
            #expect(write(&writes, bytes, at: start, &gathered) == SQLITE_OK)
            bytes.withUnsafeBytes { _ = plain.write($0, Int64(start)) }
            end = start + size
            guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
            #expect(writes.flush { gathered.write($0, $1) } == SQLITE_OK)
            #expect(gathered.bytes == plain.bytes)
        }
        #expect(writes.flush { gathered.write($0, $1) } == SQLITE_OK)
        #expect(gathered.bytes == plain.bytes)
        #expect(gathered.calls < plain.calls)
    }

    @Test("the page writes of a commit are combined into one call within SQLite's limit")
    func oneCall() {
        var writes = BufferedWrites()
        defer { writes.deallocate() }
        var file = WrittenFile()
        for page in 0..<60 {
            #expect(write(&writes, Array(repeating: 1, count: 24), at: 32 + page * 2072, &file) == SQLITE_OK)
            #expect(write(&writes, Array(repeating: 2, count: 2048), at: 56 + page * 2072, &file) == SQLITE_OK)
        }
        #expect(file.calls == 0)
        #expect(writes.flush { file.write($0, $1) } == SQLITE_OK)
        #expect(file.calls == 1)
        #expect(file.bytes.count == 32 + 60 * 2072)
        // SQLite masks the length with this value (`seekAndWriteFd`).
        #expect(BufferedWrites.capacity <= 0x1ffff)
    }

    @Test("failed writes are reported once and discarded")
    func failure() {
        var writes = BufferedWrites()
        defer { writes.deallocate() }
        var file = WrittenFile()
        #expect(write(&writes, [1, 2, 3], at: 10, &file) == SQLITE_OK)
        #expect(writes.flush { _, _ in SQLITE_FULL } == SQLITE_FULL)
        #expect(writes.flush { file.write($0, $1) } == SQLITE_OK)
        #expect(file.calls == 0)
        // The next transaction starts at the offset of the failed one.
        #expect(write(&writes, [4, 5], at: 10, &file) == SQLITE_OK)
        let refused = [UInt8](repeating: 6, count: 9).withUnsafeBytes { bytes in
            writes.write(bytes, at: 100) { _, _ in SQLITE_FULL }
        }
        #expect(refused == SQLITE_FULL)
        #expect(writes.flush { file.write($0, $1) } == SQLITE_OK)
        #expect(file.calls == 0)
    }
}
