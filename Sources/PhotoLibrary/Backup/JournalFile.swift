import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file of lines, open for more of them and locked against other writers. All calls block.
final class JournalFile: Sendable {
    private let path: String
    private let descriptor: CInt

    /// - Throws: `exists` while another process writes it.
    convenience init(_ path: String) throws(FileError) {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try LocalFolder.create(String(path[..<slash]))
        }
        try self.init(path, O_RDWR | O_CREAT | O_APPEND, named: path)
        // What was cut stays a line of its own, and no other begins in it.
        if try !endsWithLine() { try writeAll(ByteBuffer(string: "\n"), to: descriptor) }
    }

    private init(_ place: String, _ flags: CInt, named path: String) throws(FileError) {
        let descriptor = open(place, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        self.path = path
        self.descriptor = descriptor
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw errno == EWOULDBLOCK ? .exists : .last }
    }

    deinit { close(descriptor) }

    /// Lets others write it, whoever still holds it here.
    func unlock() { flock(descriptor, LOCK_UN) }

    /// One write, so that a kill leaves at most one line cut.
    func append(_ lines: ByteBuffer) throws(FileError) { try writeAll(lines, to: descriptor) }

    /// Brings what was appended to the disk.
    func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Another file in this one's place with only these lines; it is locked before it has the name.
    func replaced(with lines: ByteBuffer) throws(FileError) -> JournalFile {
        let part = "\(path).part"
        unlink(part)
        let file = try JournalFile(part, O_RDWR | O_CREAT | O_EXCL | O_APPEND, named: path)
        do throws(FileError) {
            try file.append(lines)
            guard fsync(file.descriptor) == 0, rename(part, path) == 0 else { throw FileError.last }
        } catch {
            unlink(part)
            throw error
        }
        return file
    }

    private func endsWithLine() throws(FileError) -> Bool {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw .last }
        var last = UInt8(ascii: "\n")
        guard end == 0 || pread(descriptor, &last, 1, end - 1) == 1 else { throw .last }
        return last == UInt8(ascii: "\n")
    }
}

/// The rows of a backup's journal, however long it is.
struct JournalRows {
    private(set) var all: [JournalRow] = []
    /// Lines of the file, whole or not; more than any file has when not all of it could be read, so that it is written
    /// anew.
    private(set) var count = 0

    /// Blocks. What cannot be read has no rows.
    static func read(_ path: String) -> JournalRows {
        var rows = JournalRows()
        do throws(FileError) {
            try JournalFile.forEachLine(of: path) { line in
                rows.count += 1
                if let row = JournalRow(line: line) { rows.all.append(row) }
            }
        } catch {
            if error != .missing { rows.count = Int.max / 2 }
        }
        return rows
    }
}

extension JournalFile {
    private static let pieceLength = 1 << 20
    /// No line is longer, in bytes.
    private static let longestLine = 1 << 16

    /// Gives each line that is not empty, without its end. Blocks.
    static func forEachLine(of path: String, _ take: (ArraySlice<UInt8>) -> Void) throws(FileError) {
        let file = try OpenFile(path)
        var offset: Int64 = 0
        var rest: [UInt8] = []
        while true {
            let piece = try file.read(from: offset, count: pieceLength).readableBytesView
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            if let end = piece.lastIndex(of: UInt8(ascii: "\n")) {
                (rest + piece[..<end]).split(separator: UInt8(ascii: "\n")).forEach(take)
                rest = Array(piece[(end + 1)...])
            } else {
                rest += piece
                // What is so long is no row, whatever comes behind it.
                if rest.count > longestLine { rest = [0] }
            }
        }
        rest.split(separator: UInt8(ascii: "\n")).forEach(take)
    }
}
