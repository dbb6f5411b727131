import NIOCore
import Testing

@testable import PhotoSync

/// Reuse of memory between held files.
struct FileBufferPoolTests {
    private static let mebibyte = 1 << 20

    /// The address of the bytes, as a number that does not keep them alive.
    private static func address(_ file: BufferedFile) -> UInt {
        file.bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    private static func read(_ count: Int, _ byte: UInt8 = 1, in buffers: FileBufferPool) -> BufferedFile {
        buffers.readFile(count) { $0.writeRepeatingByte(byte, count: count) }
    }

    @Test("a file reuses the memory of a released file without its bytes")
    func again() {
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 8 * Self.mebibyte)
        let first = Self.address(Self.read(3 * Self.mebibyte, in: buffers))
        let second = Self.read(2 * Self.mebibyte, 2, in: buffers)
        #expect(Self.address(second) == first)
        #expect(second.bytes == ByteBuffer(repeating: 2, count: 2 * Self.mebibyte))
    }

    @Test("bytes that are still referenced are unchanged after the file is released")
    func kept() {
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 8 * Self.mebibyte)
        let bytes = Self.read(Self.mebibyte, 1, in: buffers).bytes
        let next = Self.read(Self.mebibyte, 2, in: buffers)
        #expect(bytes == ByteBuffer(repeating: 1, count: Self.mebibyte))
        #expect(next.bytes == ByteBuffer(repeating: 2, count: Self.mebibyte))
    }

    @Test("a file uses the smallest sufficient spare buffer, or grows the largest one")
    func bestFit() {
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 20 * Self.mebibyte)
        let places = {
            let files = [5, 3].map { Self.read($0 * Self.mebibyte, in: buffers) }
            return files.map(Self.address)
        }()
        #expect(buffers.memory == 8 * Self.mebibyte)
        do {
            let small = Self.read(3 * Self.mebibyte, in: buffers)
            let large = Self.read(6 * Self.mebibyte, in: buffers)
            #expect([Self.address(large), Self.address(small)] == places)
            #expect(buffers.memory == 9 * Self.mebibyte)
        }
        #expect(Self.address(Self.read(6 * Self.mebibyte, in: buffers)) == places[0])
        #expect(buffers.memory == 9 * Self.mebibyte)
    }

    @Test("a short file does not keep a much larger buffer")
    func noWaste() {
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 9 * Self.mebibyte)
        _ = Self.read(8 * Self.mebibyte, in: buffers)
        let short = Self.read(Self.mebibyte, in: buffers)
        #expect(buffers.memory == 9 * Self.mebibyte)
        let another = Self.read(Self.mebibyte, in: buffers)
        #expect(buffers.memory == 2 * Self.mebibyte)
        withExtendedLifetime((short, another)) {}
    }

    @Test("spare memory beyond the total is released, even with short files in use")
    func bounded() {
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 5 * Self.mebibyte)
        var files = (1...3).map { _ in Self.read(3 * Self.mebibyte, in: buffers) }
        #expect(buffers.memory == 9 * Self.mebibyte)
        files.removeAll()
        #expect(buffers.memory == 3 * Self.mebibyte)
        files = (1...25).map { _ in Self.read(100_000, in: buffers) }
        #expect(buffers.memory == 2_500_000)
        files.removeAll()
        #expect(buffers.memory == 0)
    }

    @Test("a failed read releases its memory")
    func failed() {
        struct Unreadable: Error, Equatable {}
        let buffers = FileBufferPool(fileLimit: 8 * Self.mebibyte, total: 8 * Self.mebibyte)
        #expect(throws: Unreadable()) {
            _ = try buffers.readFile(Self.mebibyte) { _ throws(Unreadable) in throw Unreadable() }
        }
        withExtendedLifetime(Self.read(Self.mebibyte, in: buffers)) {
            #expect(buffers.memory == Self.mebibyte)
        }
    }
}
