import ArgumentParser
import Foundation
import PhotolalaClient

struct SignOutCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signout", abstract: "Sign out on this device.",
        discussion: """
            Photos on this device and in your library are kept. --everywhere requires authentication within the last 10 \
            minutes: photolala reauthenticate
            """
    )

    @Flag(help: "Sign out all devices.") var everywhere = false
    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        // A cache that cannot be removed must not keep the session.
        do { try await ViewingCache.removeAll() } catch {
            Terminal.writeNotice("warning: \(Terminal.sanitized("\(error)"))")
        }
        if everywhere {
            let seconds = try await context.session.deviceList().storageAccessAfterRemoval
            try await context.session.signOutEverywhere()
            return DoneResult(
                summary: "Signed out on all devices. "
                    + RemovalStrings.sentence(seconds, after: Date(), subject: "Their"))
        }
        let device = try? await context.session.device().id
        do throws(PhotolalaError) {
            try await context.session.signOut()
            return DoneResult(summary: "Signed out on this device.")
        } catch {
            if error.code == .anotherServer { throw error }
            var failure = CommandFailure(
                error,
                advice: [
                    "The session was removed from this device, but may still be valid on the server.",
                    "To end it, on a signed-in device:  photolala devices remove \(device?.description ?? "ID")",
                ]
            )
            failure.isAdviceForOthers = true
            throw failure
        }
    }
}
