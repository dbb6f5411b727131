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
        var pass = Pass()
        do {
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() { try await run(step, folder.user, &pass) }
        } catch let error as AccountError {
            throw .account(error)
        } catch let error as ProviderTokenError {
            throw .provider(error)
        } catch {
            throw .account(.corrupted("\(error)"))
        }
        return pass.summary
    }

    /// What a run has come to so far.
    private struct Pass {
        var summary = TeamTransferSummary()
        /// How many people the provider did not know, one after the other; `nil` once it knew one.
        var refused: Int? = 0
    }

    /// So many that nobody is known to the provider: it is asked in a wrong way, or for a wrong team.
    private static let refusals = 20

    /// One account's trouble is told and keeps no other one from going along.
    private func run(_ step: Step, _ user: UserID, _ pass: inout Pass) async throws {
        do {
            guard let account = try await directory.account(user), account.value.state == .active else { return }
            try await run(step, account, &pass)
        } catch let error as AccountError {
            if case .store = error { throw error }
            report(TeamTransferFinding(kind: .accountInTrouble, user: user, link: nil))
        }
    }

    private func run(_ step: Step, _ account: Stored<AccountDocument>, _ pass: inout Pass) async throws {
        var current = account
        let user = current.value.serviceUserID
        let old = current.value.links.filter {
            $0.provider == provider && ($0.state == .active || $0.state == .revoked) && $0.transfer?.isSettled != false
        }
        for link in old {
            var prepared = try await directory.prepared(link.id)
            if case .prepare(let team) = step, !isGood(prepared, team) {
                prepared = try await prepare(link, user, team, &pass)
            }
            if let prepared, case .complete = step, link.state == .active, !current.value.hasSuccessor(of: link) {
                current = try await complete(link, prepared, current, &pass)
            }
            let hasSuccessor = current.value.hasSuccessor(of: link)
            // One that has replaced another is of the new team, until a further transfer is prepared.
            guard prepared != nil || hasSuccessor || link.transfer == nil else { continue }
            pass.summary.links += 1
            if prepared != nil { pass.summary.prepared += 1 }
            if hasSuccessor { pass.summary.completed += 1 }
        }
        pass.summary.settled += current.value.links.count { $0.provider == provider && $0.transfer?.isSettled == true }
        if case .confirm = step { try await confirm(current, old, &pass.summary) }
    }

    /// Whether what was prepared is of this transfer, is young enough to be waited for, and can be read.
    private func isGood(_ prepared: PreparedTransfer?, _ team: String) -> Bool {
        guard let prepared, prepared.team == team,
            directory.now().timeIntervalSince(prepared.preparedAt) < PreparedTransfer.lifetime / 2
        else { return false }
        return directory.open(prepared.sealedID, for: .providerSubject, prepared.user) != nil
    }

    private func prepare(
        _ link: AccountLink, _ user: UserID, _ team: String, _ pass: inout Pass
    ) async throws -> PreparedTransfer? {
        guard let service, let subject = directory.subject(of: link, user: user) else {
            report(TeamTransferFinding(kind: .subjectUnreadable, user: user, link: link.id))
            return nil
        }
        do {
            let id = try await service.transferID(of: subject, to: team)
            pass.refused = nil
            try await directory.remember(id, at: team, of: link.id, user)
            return try await directory.prepared(link.id)
        } catch ProviderTokenError.refused {
            try refuse(link, user, &pass)
            return nil
        }
    }

    private func complete(
        _ link: AccountLink, _ prepared: PreparedTransfer, _ account: Stored<AccountDocument>, _ pass: inout Pass
    ) async throws -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        guard let service, let id = directory.open(prepared.sealedID, for: .providerSubject, user) else {
            report(TeamTransferFinding(kind: .subjectUnreadable, user: user, link: link.id))
            return account
        }
        do {
            guard directory.now().timeIntervalSince(prepared.preparedAt) < PreparedTransfer.lifetime else {
                throw ProviderTokenError.refused
            }
            let subject = try await service.subject(ofTransferID: id)
            pass.refused = nil
            // Only looked up: the provider's word on who it is is no proof by the person.
            if let found = try await directory.lookUp(provider, subject), found.account.value.serviceUserID != user {
                throw AccountError.identityTaken
            }
            let identity = VerifiedIdentity(provider: provider, subject: subject, issuedAt: directory.now())
            return try await directory.adopt(identity, in: account, replacing: link)?.account ?? account
        } catch ProviderTokenError.refused {
            try refuse(link, user, &pass)
        } catch AccountError.identityTaken {
            report(TeamTransferFinding(kind: .subjectTaken, user: user, link: link.id))
        }
        return account
    }

    private func refuse(_ link: AccountLink, _ user: UserID, _ pass: inout Pass) throws(ProviderTokenError) {
        report(TeamTransferFinding(kind: .unknownToProvider, user: user, link: link.id))
        guard let refused = pass.refused else { return }
        pass.refused = refused + 1
        guard refused + 1 < Self.refusals else { throw .misconfigured("the first \(Self.refusals) are all unknown") }
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
    /// Whether a link stands beside another that it is to replace.
    fileprivate func hasSuccessor(of link: AccountLink) -> Bool {
        links.contains { $0.isReplacing(link.id) && $0.state != .removing }
    }
}
