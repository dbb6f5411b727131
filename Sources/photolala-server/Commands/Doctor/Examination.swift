import Accounts
import DirectoryStorage
import Foundation
import HTTPListener
import IdentityProviders
import ObjectStorage
import PhotolalaAPI
import SMTP
import ServiceWiring
import Sessions
import Transport
import UseCases

/// The checks of `doctor`.
struct Examination: Sendable {
    private let settings: Settings
    private let now: @Sendable () -> Date

    /// How long before its end a certificate is a warning, in seconds.
    private static let certificateWarning: TimeInterval = 7 * 86_400

    init(_ settings: Settings, now: @escaping @Sendable () -> Date) { (self.settings, self.now) = (settings, now) }

    /// Performs all checks. What one finds does not stop the others, except that an unusable store has nothing to check.
    func findings() async -> [Finding] {
        var findings = [certificate, operatorSocket].compactMap(\.self)
        if let folder = settings.store.folder { findings.append(disk(folder)) }
        findings += await providers()
        if let mail = settings.mail { findings.append(await mailServer(mail)) }
        do {
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.doctor")
            try await LiveStore.open(settings, for: .reading, logger: logger) { open in
                if case .bucket(let bucket) = open { try await bucket.check() }
                let accounts = try await LiveStore.accounts(open.objects, settings)
                try await Live(settings).requireRecordedIssuers(in: open.objects)
                findings.append(
                    Finding("store", .ok, "\(settings.store.location) is readable and matches the master key"))
                findings.append(try await clock(open.objects, accounts))
                findings += try await jobs(open.objects)
                findings.append(try await deletions(accounts))
                if settings.webhooks != nil { findings.append(try await events(.webhook, accounts, open.objects)) }
                if settings.mail != nil { findings.append(try await events(.mail, accounts, open.objects)) }
            }
        } catch {
            findings.append(Finding("store", .problem, "\(error)"))
        }
        return findings
    }

    private var certificate: Finding? {
        guard let files = settings.tls else { return nil }
        do throws(TLSCertificate.Problem) {
            let end = try TLSCertificate(certificate: files.certificate, key: files.key, now: now).validUntil
            let detail = "valid until \(end.ISO8601Format())"
            guard end < now().addingTimeInterval(Self.certificateWarning) else {
                return Finding("certificate", .ok, detail)
            }
            return Finding("certificate", .warning, detail, remedy: "Renew \(files.certificate)")
        } catch {
            return Finding("certificate", .problem, "\(error)", remedy: "Correct tls.certificate and tls.key")
        }
    }

    /// A server may run or not, so a missing socket is not a finding.
    private var operatorSocket: Finding? {
        guard case .socket(let path)? = settings.operatorListen else { return nil }
        let name = "socket"
        guard FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path) else {
            return Finding(
                name, .warning, "the folder of \(path) does not exist",
                remedy: "Create it before the server starts. The systemd service creates /run/photolala at its start")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let type = attributes?[.type] as? FileAttributeType, type != .typeSocket else {
            return Finding(name, .ok, "\(path) is a socket or free")
        }
        return Finding(
            name, .problem, "\(path) is a file that is not a socket",
            remedy: "Move it, or set another operator.listen")
    }

    private func disk(_ folder: FolderSettings) -> Finding {
        guard let space = DiskSpace.of(folder.data) else {
            return Finding("disk", .problem, "\(folder.data) cannot be examined", remedy: "Correct data")
        }
        if space.isReadOnly {
            return Finding("disk", .problem, "\(folder.data) is mounted read-only", remedy: "Mount it for writing")
        }
        let reserve = folder.reservedBytes ?? min(space.total / 10, 1 << 30)
        guard space.available > reserve else {
            return Finding(
                "disk", .problem, "\(space.available) bytes are free, and uploads are refused below \(reserve)",
                remedy: "Free space")
        }
        guard space.available > 2 * reserve else {
            return Finding(
                "disk", .warning, "\(space.available) bytes are free, and uploads are refused below \(reserve)",
                remedy: "Free space")
        }
        return Finding("disk", .ok, "enough space")
    }

    /// Fetches the keys of each configured provider.
    private func providers() async -> [Finding] {
        let transport = AsyncHTTPTransport()
        var findings: [Finding] = []
        for provider in settings.providers {
            let network: any HTTPTransport = provider.allowsPrivateAddresses ? transport : PublicHTTPTransport()
            let problem = await provider.keySetProblem(network)
            findings.append(
                problem.map {
                    Finding("\(provider.name)", .problem, $0, remedy: "Check this machine's connection to the provider")
                } ?? Finding("\(provider.name)", .ok, "its keys can be fetched"))
        }
        try? await transport.shutdown()
        return findings
    }

    private func clock(_ store: any ObjectStore, _ accounts: AccountDirectory) async throws -> Finding {
        let keys = SigningKeys(
            store: store, retry: LiveStore.retry, keyRing: accounts.keyRing, now: now, randomness: .system)
        try await keys.read()
        guard let start = keys.startIfClockIsBehind() else {
            return Finding("clock", .ok, "not behind the signing keys")
        }
        return Finding(
            "clock", .problem, "earlier than the first use of every signing key (\(start.ISO8601Format()))",
            remedy: "Set the clock")
    }

    private func jobs(_ store: any ObjectStore) async throws -> [Finding] {
        let leases = JobLeases(store: store, retry: LiveStore.retry, now: now, randomness: .system)
        let overview = JobOverview(
            settings.sharedJobs, leases: leases, countingUsageEvery: settings.countUsageEvery, now: now)
        let overdue = try await overview.jobs().filter(\.isOverdue).map(\.job)
        guard overdue.isEmpty else {
            return [
                Finding(
                    "jobs", .problem, "overdue: \(overdue.joined(separator: ", "))",
                    remedy: "See photolala-server jobs, and restart an instance whose run began hours ago")
            ]
        }
        return [Finding("jobs", .ok, "none is overdue")]
    }

    private func deletions(_ accounts: AccountDirectory) async throws -> Finding {
        let overdue = try await DeletionLine.all(in: accounts, at: now()).count(where: \.isOverdue)
        guard overdue == 0 else {
            return Finding(
                "deletions", .problem, "\(Counted.text(overdue, "deletion")) overdue",
                remedy: "See photolala-server deletions")
        }
        return Finding("deletions", .ok, "none is overdue")
    }

    /// Connects to the mail server and authenticates.
    private func mailServer(_ mail: MailSettings) async -> Finding {
        let name = "mail"
        do {
            try await SMTPClient(server: mail.server, name: mail.from.address.domain).check(mail.from.address)
            return Finding(name, .ok, "\(mail.server.host) accepts \(mail.from.address)")
        } catch {
            return Finding(
                name, .problem, "\(mail.server.host): \(error)",
                remedy: "Correct mail.url or mail.from, or check this machine's connection to the mail server")
        }
    }

    private func events(
        _ channel: EventChannel, _ accounts: AccountDirectory, _ store: any ObjectStore
    ) async throws -> Finding {
        let outbox = Live.makeOutbox(store, channel, logger: settings.log.makeLogger("photolala.doctor"))
        let (name, detail, option) =
            channel == .mail
            ? ("e-mails", "security e-mails wait for", " --mail")
            : ("events", "the receiver refuses the events of", "")
        var refused = 0
        try await EventOutboxSession(accounts: accounts, outbox: outbox, hasReceiver: true).forEach { _, delivery in
            if delivery?.refusal != nil { refused += 1 }
        }
        guard refused == 0 else {
            return Finding(
                name, .problem, "\(detail) \(Counted.accounts(refused))",
                remedy: "See photolala-server events\(option)")
        }
        return Finding(name, .ok, "none is refused")
    }
}
