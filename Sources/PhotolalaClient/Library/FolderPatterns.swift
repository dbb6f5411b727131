import Foundation
import PhotoSync

/// Patterns for the files of a folder that a backup or sync leaves alone, with the syntax of `.gitignore`, in which ASCII
/// letters match in both cases.
///
/// They come before the patterns of `.photolalaignore` files in the folder and its subfolders, and those before the
/// standard patterns for files that other software keeps beside photos: thumbnails, waste bins, incomplete downloads.
/// `docs/command-line.md` lists them. A sync neither uploads, downloads nor removes what is left alone.
public struct FolderPatterns: Sendable, Equatable {
    let filter: FolderFilter

    /// No patterns.
    public init() { filter = FolderFilter() }

    /// - Parameters:
    ///   - excluding: Files and folders to leave alone. A later pattern overrides an earlier one; one that begins with `!`
    ///     includes what it matches.
    ///   - including: If not empty, only files that match one of these patterns, or are in a folder that does, are
    ///     handled.
    /// - Throws: `invalidRequest` for a text that is not one pattern.
    public init(excluding: [String], including: [String] = []) throws(PhotolalaError) {
        try self.init(file: Data(), excluding: excluding, including: including)
    }

    /// - Parameters:
    ///   - file: The content of a file with the syntax of `.gitignore`: further files and folders to leave alone.
    ///   - excluding: As without a file; these patterns override those of the file.
    ///   - including: As without a file.
    /// - Throws: `invalidRequest` for a line or text that is not a pattern.
    public init(file: Data, excluding: [String] = [], including: [String] = []) throws(PhotolalaError) {
        let listed = try Self.rules(file)
        filter = FolderFilter(
            excluded: listed.followed(by: try Self.rules(excluding)), included: try Self.rules(including))
    }

    private static func rules(_ patterns: [String]) throws(PhotolalaError) -> IgnoreRules {
        for pattern in patterns {
            let isOne =
                !pattern.utf8.contains(UInt8(ascii: "\n")) && (try? IgnoreRules(text: pattern.utf8))?.isEmpty == false
            guard isOne else {
                throw PhotolalaError(
                    code: .invalidRequest,
                    detail: "Invalid pattern: “\(pattern)”.")
            }
        }
        return try rules(Data(patterns.joined(separator: "\n").utf8))
    }

    private static func rules(_ text: Data) throws(PhotolalaError) -> IgnoreRules {
        do { return try IgnoreRules(text: text) } catch {
            throw PhotolalaError(code: .invalidRequest, detail: "Line \(error.number) is not a valid pattern.")
        }
    }
}
