import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Transfers the accounts of one provider when an app moves to another Apple developer team. An interrupted run is
/// resumed by running it again; servers may run at the same time.
package struct TeamTransfer: Sendable {
    /// The steps of a transfer, each applied to all accounts.
    package enum Step: Sendable {
        /// Counts, and changes nothing.
        case count
        /// With the old team's key: requests each user's transfer id and stores it.
        case prepare(team: String)
        /// With the new team's key: links each user's new subject beside the old one.
        case complete
        /// Removes the old subjects that have a new one.
        case confirm
    }

    private let directory: AccountDirectory
    private let provider: ProviderName
    private let service: (any TeamTransferService)?
    private let report: @Sendable (TeamTransferFinding) -> Void

    /// - Parameter service: required by `prepare` and `complete`.
    package init(
        _ directory: AccountDirectory, provider: ProviderName, service: (any TeamTransferService)?,
        report: @escaping @Sendable (TeamTransferFinding) -> Void
    ) {
        self.directory = directory
        self.provider = provider
        self.service = service
        self.report = report
    }

    /// Processes all accounts, one after the other. At most three reads per link, plus the step's own requests.
    /// - Throws: `TeamTransferError` if the provider is unavailable; completed work stays.
    package func run(_ step: Step) async throws(TeamTransferError) -> TeamTransferSummary {
        var pass = Pass()
        do {
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() { try await runAccount(step, folder.user, &pass) }
        } catch let error as AccountError {
            throw .account(error)
        } catch let error as ProviderTokenError {
            throw .provider(error)
        } catch {
            throw .account(.corrupted("\(error)"))
        }
        return pass.summary
    }

    /// The progress of a run.
    private struct Pass {
        var summary = TeamTransferSummary()
        /// The number of consecutive users that the provider did not know; `nil` once it knew one.
        var consecutiveUnknown: Int? = 0
    }

    /// After this many unknown users from the start, the request is assumed to be misconfigured or for the wrong team.
    private static let maximumConsecutiveUnknown = 20

    /// Processes one account. An error in one account is reported and does not block the others.
    private func runAccount(_ step: Step, _ user: UserID, _ pass: inout Pass) async throws {
        do {
            guard let account = try await directory.account(user), account.value.state == .active else { return }
            try await runStep(step, account, &pass)
        } catch let error as AccountError {
            if case .store = error { throw error }
            report(TeamTransferFinding(kind: .accountFailed, user: user, link: nil))
        }
    }

    private func runStep(_ step: Step, _ account: Stored<AccountDocument>, _ pass: inout Pass) async throws {
        var current = account
        let user = current.value.serviceUserID
        let old = current.value.links.filter {
            $0.provider == provider && ($0.state == .active || $0.state == .revoked) && $0.transfer?.isSettled != false
        }
        for link in old {
            var prepared = try await directory.preparedTransfer(link.id)
            if case .prepare(let team) = step, !isUsable(prepared, team) {
                prepared = try await prepare(link, user, team, &pass)
            }
            if let prepared, case .complete = step, link.state == .active, !current.value.hasSuccessor(of: link) {
                current = try await complete(link, prepared, current, &pass)
            }
            let hasSuccessor = current.value.hasSuccessor(of: link)
            // A link that has replaced another belongs to the new team, until a further transfer is prepared.
            guard prepared != nil || hasSuccessor || link.transfer == nil else { continue }
            pass.summary.links += 1
            if prepared != nil { pass.summary.prepared += 1 }
            if hasSuccessor { pass.summary.completed += 1 }
        }
        pass.summary.settled += current.value.links.count { $0.provider == provider && $0.transfer?.isSettled == true }
        if case .confirm = step { try await confirm(current, old, &pass.summary) }
    }

    /// Returns whether a prepared transfer is for this team, is recent enough, and can be opened.
    private func isUsable(_ prepared: PreparedTransfer?, _ team: String) -> Bool {
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
            pass.consecutiveUnknown = nil
            try await directory.storeTransferID(id, at: team, of: link.id, user)
            return try await directory.preparedTransfer(link.id)
        } catch ProviderTokenError.refused {
            try recordUnknownUser(link, user, &pass)
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
            pass.consecutiveUnknown = nil
            // Only a look-up: the provider's mapping is not an authentication by the user.
            if let found = try await directory.lookUp(provider, subject), found.account.value.serviceUserID != user {
                throw AccountError.identityTaken
            }
            let identity = VerifiedIdentity(provider: provider, subject: subject, issuedAt: directory.now())
            return try await directory.replaceTransferredLink(identity, in: account, replacing: link)?.account
                ?? account
        } catch ProviderTokenError.refused {
            try recordUnknownUser(link, user, &pass)
        } catch AccountError.identityTaken {
            report(TeamTransferFinding(kind: .subjectTaken, user: user, link: link.id))
        }
        return account
    }

    private func recordUnknownUser(_ link: AccountLink, _ user: UserID, _ pass: inout Pass) throws(ProviderTokenError) {
        report(TeamTransferFinding(kind: .unknownToProvider, user: user, link: link.id))
        guard let refused = pass.consecutiveUnknown else { return }
        pass.consecutiveUnknown = refused + 1
        guard refused + 1 < Self.maximumConsecutiveUnknown else {
            throw .misconfigured("the first \(Self.maximumConsecutiveUnknown) ids are all unknown to the provider")
        }
    }

    private func confirm(
        _ account: Stored<AccountDocument>, _ old: [AccountLink], _ summary: inout TeamTransferSummary
    ) async throws {
        let finished = try await directory.finishTransfers(of: account)
        for link in old where finished.value.link(link.id) == nil {
            summary.settled += 1
            if let prepared = try await directory.preparedTransfer(link.id) {
                try await directory.removePreparedTransfer(prepared)
            }
        }
    }
}

extension AccountDocument {
    /// Returns whether a link has a successor that is to replace it.
    fileprivate func hasSuccessor(of link: AccountLink) -> Bool {
        links.contains { $0.isReplacing(link.id) && $0.state != .removing }
    }
}
