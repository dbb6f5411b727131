import ArgumentParser
import Foundation
import PhotolalaClient
import Transport

/// A subcommand: performs its work with a session and returns a result. All else is shared.
protocol PhotolalaCommand: AsyncParsableCommand, Sendable {
    associatedtype Result: CommandOutcome
    var common: CommonOptions { get }
    /// The advice to print after Ctrl-C.
    var interruptedAdvice: String { get }
    /// Whether the command may remove a stored session that cannot be opened.
    var forgetsUnusable: Bool { get }
    /// The device's name; `nil` for the stored name or the machine's.
    var deviceName: String? { get }
    /// How the command uses the network; `nil` for the defaults.
    var transferOptions: TransferOptions? { get }
    func perform(_ context: CommandContext) async throws -> Result
}

extension PhotolalaCommand {
    var interruptedAdvice: String { "" }
    var forgetsUnusable: Bool { false }
    var deviceName: String? { nil }
    var transferOptions: TransferOptions? { nil }

    func run() async throws {
        FreedMemory.returnToSystem()
        let work = Task {
            let result = try await withSession()
            try Task.checkCancellation()
            // A result with a failure is printed in any case.
            if common.json || result.status != .done || !isQuiet {
                try result.write(asJSON: common.json)
                if !common.json, let text = (result as? any CommandResult)?.text,
                    let advice = common.profileAdvice(for: text)
                {
                    Terminal.writeNotice(advice)
                }
            }
            return result.status
        }
        let interruption = Interruption { work.cancel() }
        switch await work.result {
        case .success(let status) where !interruption.hasOccurred:
            try leave(status)
        case .failure(let error) where !interruption.hasOccurred:
            try fail(CommandFailure.wrapping(error))
        default:
            try fail(
                CommandFailure(
                    PhotolalaError(code: .cancelled, detail: "Interrupted."),
                    advice: interruptedAdvice.isEmpty ? [] : [interruptedAdvice]
                )
            )
        }
    }

    private func withSession() async throws -> Result {
        let environment = ProcessInfo.processInfo.environment
        let (profile, storage) = try openProfile(common.profileURL(environment: environment))
        let stored = try PhotolalaSession.server(of: profile, storage: storage) ?? profile.lastServer
        let server = try common.serverAddress(environment: environment, stored: stored)
        let limit = Duration.seconds(transferOptions?.stallTimeout ?? TransferOptions.usualTimeout)
        let bandwidth = transferOptions?.bandwidth?.schedule
        let network =
            try common.pairedServer(environment: environment).map {
                PhotolalaNetwork(paired: $0, stallTimeout: limit, bandwidth: bandwidth)
            } ?? PhotolalaNetwork(stallTimeout: limit, bandwidth: bandwidth)
        let session = PhotolalaSession(
            server: server, profile: profile, storage: storage, network: network, deviceName: deviceName
        )
        let library = PhotolalaLibrary(session: session, profile: profile, network: network)
        let context = CommandContext(
            session: session, profile: profile, library: library, local: PhotolalaLocalLibrary(profile: profile),
            preferences: PhotolalaPreferences(session: session, profile: profile), network: network,
            progress: progressStyle
        )
        do {
            let result = try await perform(context)
            await network.close()
            return result
        } catch {
            await network.close()
            throw error
        }
    }

    private var isQuiet: Bool { transferOptions?.quiet ?? false }

    private var progressStyle: ProgressDisplay.Style {
        if isQuiet { return .none }
        if Terminal.canOverwrite { return .line }
        return common.json ? .none : .log
    }

    private func openProfile(_ url: URL) throws -> (ProfileDirectory, FileSecretStorage) {
        do {
            let hadSecrets = ProfileDirectory.hasSecrets(url)
            let open = forgetsUnusable ? try ProfileDirectory.restrictAccess(to: url) : []
            let profile = try ProfileDirectory(url)
            if forgetsUnusable { report(open + (try profile.forgetUnusable()), hadSecrets: hadSecrets) }
            return (profile, try profile.fileSecretStorage())
        } catch {
            // Without its profile folder, the device has no session. A full disk is another failure.
            guard error.code == .localStorageFailed, error.cause?.code != .deviceFull else { throw error }
            throw CommandFailure(error, advice: Advice.general(for: error), status: .notSignedIn)
        }
    }

    /// Reports what was unusable in a profile folder.
    private func report(_ reasons: [SecretStorageError], hadSecrets: Bool) {
        for reason in reasons { Terminal.writeNotice("warning: " + Terminal.sanitized(reason.detail)) }
        guard hadSecrets, !reasons.isEmpty else { return }
        Terminal.writeNotice(
            """
            The unusable session was removed from this device; local library state was kept. The session may remain
            valid on the server until the next sign-in on this device, or until you remove it:  photolala devices
            """
        )
    }

    private func fail(_ failure: CommandFailure) throws {
        failure.withProfile(common).report(asJSON: common.json)
        try leave(failure.status)
    }

    private func leave(_ status: ExitStatus) throws {
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
