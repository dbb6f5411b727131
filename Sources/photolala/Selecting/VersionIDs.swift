import ArgumentParser
import PhotolalaClient

/// Validates the option `--id`.
enum VersionIDs {
    /// - Parameter usage: The command with a path and an ID.
    static func check(_ ids: [String], of wanted: FilterOptions, _ usage: String) throws {
        guard !ids.isEmpty else { return }
        guard wanted.isSpecified else { throw ValidationError("--id requires a path: \(usage)") }
        guard ids.allSatisfy(TrashVersionChoice.isID) else {
            throw ValidationError(
                "--id must have 4 to 32 hexadecimal digits, as shown by photolala versions and trash list.")
        }
    }
}
