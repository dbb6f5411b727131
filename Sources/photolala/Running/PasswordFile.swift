import Foundation

/// Reads a password from a file that only its owner can read: passwords are no arguments, which other users can see.
enum PasswordFile {
    /// The shortest password, in characters.
    private static let shortest = 8
    /// The maximum length of the file, in bytes.
    private static let limit = 1024

    /// Returns the first line of a file or, for `-`, of standard input: UTF-8 without control characters, after a byte order
    /// mark.
    /// - Parameter longest: The maximum length of the line, in bytes.
    static func line(of path: String, longest: Int = limit) throws -> String {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        let mode = isFile ? attributes?[.posixPermissions] as? Int : nil
        guard path == "-" || mode.map({ $0 & 0o077 == 0 }) ?? true else {
            throw CommandFailure(
                "\(path) can be read or changed by other users.",
                advice: ["To restrict it:  \(SuggestedCommand.text("chmod 600 ?", path))"],
                status: .wrongUsage)
        }
        var bytes = try InputFile.bytes(of: path, limit: limit, content: "the password")[...]
        let isWithinLimit = bytes.count <= limit
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        guard let line = String(validating: bytes.prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self),
            !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw CommandFailure(
                "The first line of \(InputFile.name(path)) is not text in UTF-8 without control characters.",
                status: .wrongUsage)
        }
        guard isWithinLimit, line.count >= shortest, line.utf8.count <= longest else {
            throw CommandFailure(
                "\(InputFile.name(path)) has no password of \(shortest) characters to \(longest) bytes in its first line.",
                status: .wrongUsage)
        }
        return line
    }
}
