import ArgumentParser
import PhotolalaClient

/// The files of a folder that a command leaves alone.
struct PatternOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Ignore files and folders that match this pattern, with the syntax of .gitignore. Repeatable.",
            valueName: "pattern"))
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp("Read patterns to ignore from this file, one per line.", valueName: "file"),
        completion: .file())
    var excludeFrom: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Include only files that match this pattern, or are in a matching folder. Repeatable.",
            valueName: "pattern"))
    var include: [String] = []

    /// The maximum length of a file of patterns, in bytes.
    private static let limit = 64 << 10

    func validate() throws {
        for pattern in exclude { try TextChecks.check(pattern, of: "--exclude", expects: "a pattern") }
        for pattern in include { try TextChecks.check(pattern, of: "--include", expects: "a pattern") }
        try TextChecks.check(excludeFrom, of: "--exclude-from", expects: "a file")
        do throws(PhotolalaError) {
            _ = try FolderPatterns(excluding: exclude, including: include)
        } catch { throw ValidationError(error.detail) }
    }

    /// Returns the patterns. Those of `--exclude` come after those of the file, and so override them.
    func patterns() throws -> FolderPatterns {
        guard let excludeFrom else { return try FolderPatterns(excluding: exclude, including: include) }
        let bytes = try InputFile.bytes(of: excludeFrom, limit: Self.limit, content: "the patterns")
        guard bytes.count <= Self.limit else {
            throw CommandFailure("\(InputFile.name(excludeFrom)) is longer than 64 KiB.")
        }
        do throws(PhotolalaError) {
            return try FolderPatterns(file: bytes, excluding: exclude, including: include)
        } catch { throw CommandFailure("\(InputFile.name(excludeFrom)): \(error.detail)") }
    }
}
