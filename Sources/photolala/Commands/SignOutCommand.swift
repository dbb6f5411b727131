import ArgumentParser
import Foundation
import PhotolalaClient

struct SignOutCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signout", abstract: "Sign out on this device.",
        discussion: "Your photos, here and on the server, stay where they are."
    )

    @Flag(help: "End the sessions of all your devices.") var everywhere = false
    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        if everywhere {
            let seconds = try await context.session.deviceList().storageAccessAfterRemoval
            try await context.session.signOutEverywhere()
            return DoneResult(
                summary: "Signed out on all your devices. "
                    + RemovalStrings.sentence(seconds, after: Date(), subject: "Their"))
        }
        do throws(PhotolalaError) {
            try await context.session.signOut()
            return DoneResult(summary: "Signed out on this device.")
        } catch {
            if error.code == .anotherServer { throw error }
            throw CommandFailure(
                error,
                advice: [
                    "This device has forgotten the session all the same. The server could not be told; to end it",
                    "there, sign in on any device and run:  photolala devices",
                ]
            )
        }
    }
}
