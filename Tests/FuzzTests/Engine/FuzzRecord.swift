import Foundation

/// The current input of a process, stored in a file so that it can be read after the process ended.
final class FuzzRecord: @unchecked Sendable {
    private let handle: FileHandle

    /// - Parameter folder: contains one file for each record.
    init(in folder: String, name: String) throws {
        let path = "\(folder)/\(name.replacing("/", with: " "))"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        self.handle = handle
    }

    /// Records the next input. It is in the kernel's page cache afterwards, which outlives the process.
    func begin(_ parser: String, _ seed: UInt64, _ input: [UInt8]) throws {
        try write("\(parser.replacing("\n", with: " "))\n\(seed)\n", input)
    }

    /// Records that no input is in progress.
    func clear() throws { try write("", []) }

    private func write(_ head: String, _ input: [UInt8]) throws {
        let head = Array(head.utf8)
        var length = UInt64(head.count + input.count)
        var bytes = Data(bytes: &length, count: 8)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: input)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: bytes)
    }

    /// Returns a readable description of the records in a folder.
    static func read(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            guard name != FuzzedProcess.summary else { return nil }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            guard bytes.count >= 8 else { return nil }
            let length = Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            let lines = bytes.dropFirst(8).prefix(length).split(
                separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
            guard lines.count == 3 else { return nil }
            let text = lines.prefix(2).map { String(decoding: $0, as: UTF8.self) }
            return "parser \(text[0]), PHOTOLALA_SEED=\(text[1]), input \(Data(lines[2]).base64EncodedString())"
        }
    }
}
