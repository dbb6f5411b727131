import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient
import Transport

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check clock, credentials, store, disk, permissions and versions.",
        discussion: """
            Says what to do about each problem, changes no photos and prints no secrets. Exit status: 1 when a check found \
            a problem; warnings do not count.
            """
    )

    @OptionGroup var common: CommonOptions

    /// The time for each request, less than that of other commands: a doctor should answer.
    private static let limit = Duration.seconds(15)

    func run() async throws {
        var (findings, loss) = ([Finding](), (any Error)?.none)
        func show(_ found: [Finding]) {
            findings += found
            guard !common.json else { return }
            for finding in found {
                do { try Terminal.writeResult(finding.text) } catch { loss = loss ?? error }
            }
            if loss != nil, StandardOutput.hasLostReader { StandardOutput.endByBrokenPipe() }
        }
        let environment = ProcessInfo.processInfo.environment
        let folder = common.profileURL(environment: environment).standardizedFileURL
        let profile = ProfileExamination(folder: folder.path).findings()
        show(profile.findings)
        var opened: ProfileDirectory?
        var storage: FileSecretStorage?
        var stored: String?
        do {
            opened = profile.isUsable ? try ProfileDirectory(folder) : nil
            stored = opened?.lastServer
            if let opened {
                let secrets = try opened.fileSecretStorage()
                stored = try PhotolalaSession.server(of: opened, storage: secrets) ?? stored
                storage = secrets
            }
        } catch { show([Finding("profile", error)]) }
        let isServerUnknown = stored == nil && !common.isServerGiven(environment: environment)
        if isServerUnknown, findings.contains(where: { $0.level == .problem }) {
            show([
                Finding(
                    "server", .warning, "not checked: the profile that names it cannot be read",
                    remedy: "Repair the profile first, or add --server URL")
            ])
        } else {
            await examineServer(stored, opened, storage, environment, show)
        }
        show(await MachineExamination.ofThisMachine().findings)
        try await CommandFailure.reporting {
            if let loss { throw loss }
            if common.json { try Terminal.writeJSON(["findings": findings]) }
        }
        if findings.contains(where: { $0.level == .problem }) {
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }

    /// Examines the server and, with a session, the account and its store.
    private func examineServer(
        _ stored: String?, _ profile: ProfileDirectory?, _ storage: FileSecretStorage?,
        _ environment: [String: String], _ show: ([Finding]) -> Void
    ) async {
        do {
            let server = try common.serverAddress(environment: environment, stored: stored)
            let network =
                try common.pairedServer(environment: environment).map { PhotolalaNetwork(paired: $0) }
                ?? PhotolalaNetwork()
            let connection = ServiceConnection(server: server, transport: network.serverTransport)
            let answer = await ServerExamination(connection: connection, now: { Date() }, limit: Self.limit).findings()
            show(answer.findings)
            if answer.isReachable, let profile, let storage {
                let session = PhotolalaSession(server: server, profile: profile, storage: storage, network: network)
                let library = PhotolalaLibrary(session: session, profile: profile, network: network)
                show(
                    await AccountExamination(
                        session: session, checkStore: { try await library.checkStore() }, limit: Self.limit
                    ).findings())
            }
            await network.close()
        } catch { show([Finding("server", error)]) }
    }
}
