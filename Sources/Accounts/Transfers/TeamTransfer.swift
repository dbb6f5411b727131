import Foundation
import ObjectStorage
import PhotolalaAPI

/// Takes the accounts of one provider along when an app moves to another developer team. Whatever was interrupted goes on
/// when it is run again; servers may run beside it.
package struct TeamTransfer: Sendable {
    /// What one step does to all accounts.
    package enum Step: Sendable {
        /// Nothing: counts.
        case look
        /// With the old team's key: asks for each person's transfer id and keeps it.
        case prepare(team: String)
        /// With the new team's key: links each person's new subject beside the old one.
        case complete
        /// Drops the old subjects that have a new one.
        case confirm
    }

    private let directory: AccountDirectory
    private let provider: ProviderName
    private let service: (any TeamTransferService)?
    private let report: @Sendable (TeamTransferFinding) -> Void

    /// - Parameter service: needed by `prepare` and `complete`.
    package init(
        _ directory: AccountDirectory, provider: ProviderName, service: (any TeamTransferService)?,
        report: @escaping @Sendable (TeamTransferFinding) -> Void
    ) {
        self.directory = directory
        self.provider = provider
        self.service = service
        self.report = report
    }

    /// Goes through all accounts, one after the other. Three reads at most for each link, and the step's own requests.
    /// - Throws: `TeamTransferError` when the provider cannot be asked; what was done stays done.
    package func run(_ step: Step) async throws(TeamTransferError) -> TeamTransferSummary {
        var summary = TeamTransferSummary()
        do {
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() {
                guard let account = try await directory.account(folder.user), account.value.state == .active else {
                    continue
                }
                try await run(step, account, &summary)
            }
        } catch let error as AccountError {
            throw .account(error)
        } catch let error as ProviderTokenError {
            throw .provider(error)
        } catch {
            throw .account(.corrupted("\(error)"))
        }
        return summary
    }

    private func run(
        _ step: Step, _ account: Stored<AccountDocument>, _ summary: inout TeamTransferSummary
    ) async throws {
        var current = account
        let old = current.value.links.filter {
            $0.provider == provider && ($0.state == .active || $0.state == .revoked) && $0.transfer == nil
        }
        for link in old {
            summary.links += 1
            var prepared = try await directory.prepared(link.id)
            if prepared == nil, case .prepare(let team) = step {
                prepared = try await prepare(link, current.value.serviceUserID, team)
            }
            if let prepared, case .complete = step, !current.value.hasSuccessor(of: link) {
                current = try await complete(link, prepared, current)
            }
            if prepared != nil { summary.prepared += 1 }
            if current.value.hasSuccessor(of: link) { summary.completed += 1 }
        }
        summary.settled += current.value.links.count { $0.provider == provider && $0.transfer?.isSettled == true }
        if case .confirm = step { try await confirm(current, old, &summary) }
    }

    private func prepare(_ link: AccountLink, _ user: UserID, _ team: String) async throws -> PreparedTransfer? {
        guard let service, let subject = directory.subject(of: link, user: user) else {
            report(TeamTransferFinding(kind: .subjectUnreadable, user: user, link: link.id))
            return nil
        }
        do {
            let id = try await service.transferID(of: subject, to: team)
            try await directory.remember(id, of: link.id, user)
            return try await directory.prepared(link.id)
        } catch ProviderTokenError.refused {
            report(TeamTransferFinding(kind: .unknownToProvider, user: user, link: link.id))
            return nil
        }
    }

    private func complete(
        _ link: AccountLink, _ prepared: PreparedTransfer, _ account: Stored<AccountDocument>
    ) async throws -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        guard let service, let id = directory.open(prepared.sealedID, for: .providerSubject, user) else {
            report(TeamTransferFinding(kind: .subjectUnreadable, user: user, link: link.id))
            return account
        }
        do {
            let subject = try await service.subject(ofTransferID: id)
            let identity = VerifiedIdentity(provider: provider, subject: subject, issuedAt: directory.now())
            return try await directory.adopt(identity, in: account, replacing: link)?.account ?? account
        } catch ProviderTokenError.refused {
            report(TeamTransferFinding(kind: .unknownToProvider, user: user, link: link.id))
        } catch AccountError.identityTaken {
            report(TeamTransferFinding(kind: .subjectTaken, user: user, link: link.id))
        }
        return account
    }

    private func confirm(
        _ account: Stored<AccountDocument>, _ old: [AccountLink], _ summary: inout TeamTransferSummary
    ) async throws {
        let settled = try await directory.settleTransfers(of: account)
        for link in old where settled.value.link(link.id) == nil {
            summary.settled += 1
            if let prepared = try await directory.prepared(link.id) { try await directory.forget(prepared) }
        }
    }
}

extension AccountDocument {
    /// Whether an active link replaces another.
    fileprivate func hasSuccessor(of link: AccountLink) -> Bool {
        links.contains { $0.transfer?.from == link.id && $0.state == .active }
    }
}
