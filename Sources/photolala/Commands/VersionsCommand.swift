import ArgumentParser
import Foundation
import PhotolalaClient

struct VersionsCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the versions of a photo: the current one and those in the trash.",
        discussion: """
            Newest first. A backup or sync of an edited photo keeps the earlier version in the trash.

            Download a version:       photolala restore --to FOLDER PATH --id ID
            Put it into the library:  photolala trash restore PATH --id ID
            """
    )

    @Argument(help: "Photo of the library or the trash.")
    var path: String

    @OptionGroup var common: CommonOptions

    func validate() throws { try TextChecks.check(path, of: "PATH", expects: "a photo") }

    func perform(_ context: CommandContext) async throws -> VersionsResult {
        VersionsResult(versions: try await context.library.versions(of: path), now: Date())
    }
}

/// The versions of a photo.
struct VersionsResult: CommandOutcome {
    let versions: LibraryPhotos
    let now: Date

    func write(asJSON: Bool) throws {
        if asJSON { return try PhotoListing.writeJSON(versions, totals: PhotoTotals(versions)) }
        try PhotoListing.write(versions) { "\t\(TrashStrings.version($0, at: now))" }
    }
}
