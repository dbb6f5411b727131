import Foundation

/// Reads a password from a file that only its owner can read: passwords are no arguments, which other users can see.
enum PasswordFile {
    /// The shortest password, in characters.
    private static let shortest = 8
    /// The maximum length of the file, in bytes.
    private static let limit = 1024

    /// Returns the first line of a file or, for `-`, of standard input.
    /// - Parameter longest: The maximum length of the line, in bytes.
    static func line(of path: String, longest: Int = limit) throws -> String {
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
        guard path == "-" || mode.map({ $0 & 0o077 == 0 }) ?? true else {
            throw CommandFailure(
                "\(path) can be read or changed by other users.",
                advice: ["To restrict it:  chmod 600 \(ShellWord.quoted(path))"], status: .wrongUsage)
        }
        let bytes = try InputFile.bytes(of: path, limit: limit, content: "the password")
        let line = String(decoding: bytes.prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
        guard bytes.count <= limit, line.count >= shortest, line.utf8.count <= longest else {
            throw CommandFailure(
                "\(InputFile.name(path)) has no password of \(shortest) to \(longest) characters in its first line.",
                status: .wrongUsage)
        }
        return line
    }
}
