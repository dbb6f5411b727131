import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// The time, in seconds, during which a renewal whose response was lost is repeated. Within it, the server returns
    /// the same successor.
    private static let grace: TimeInterval = 25
    /// The remaining lifetime, in seconds, below which tokens are renewed before use.
    private static let margin: TimeInterval = 60

    /// Renews the tokens now, even if they are still valid.
    public func refresh() async throws(PhotolalaError) {
        guard let outdated = try stored() else { throw .notSignedIn }
        _ = try await renewed(after: outdated)
    }

    /// Sends a call with a valid access token. A token that the server rejects is renewed once.
    /// - Parameter user: The account to which the call belongs; `nil` for the one that is signed in now.
    func authorized<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String] = [:], body: Body? = nil, ifMatch: String? = nil,
        as user: UserID? = nil
    ) async throws(PhotolalaError) -> ServiceResponse<Answer> {
        try await answer(route, parameters, body: body, ifMatch: ifMatch, as: user).response
    }

    /// Sends a call as `authorized` does.
    /// - Returns: The response, and the session with which the call was sent.
    func answer<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String] = [:], body: Body? = nil, ifMatch: String? = nil,
        as user: UserID? = nil
    ) async throws(PhotolalaError) -> (response: ServiceResponse<Answer>, session: StoredSession) {
        let current = try await validSession(of: user)
        do throws(PhotolalaError) {
            let response = try await connection.send(
                route, parameters, body: body, accessToken: current.session.accessToken, ifMatch: ifMatch,
                signer: signer(current.key)
            )
            return (response, current)
        } catch {
            guard error.status == 401, error.code == .unauthorized || error.code == .sessionEnded else { throw error }
            let next = try await replacement(of: current, refusedWith: error)
            let response = try await connection.send(
                route, parameters, body: body, accessToken: next.session.accessToken, ifMatch: ifMatch,
                signer: signer(next.key)
            )
            return (response, next)
        }
    }

    /// Returns a session whose access token is valid for at least one minute, by this device's clock.
    /// - Parameter user: Its account; `nil` for the one that is signed in now.
    /// - Throws: `notSignedIn` also if another account is signed in.
    func validSession(of user: UserID? = nil) async throws(PhotolalaError) -> StoredSession {
        guard let stored = try stored(), user == nil || stored.user == user else { throw .notSignedIn }
        return isValid(stored) ? stored : try await renewed(after: stored)
    }

    /// Returns the replacement of a session that the server rejected, which is one of the same account.
    private func replacement(
        of refused: StoredSession, refusedWith error: PhotolalaError
    ) async throws(PhotolalaError) -> StoredSession {
        if error.code == .sessionEnded {
            // Another process may have signed in again. Otherwise the session has ended for this process, too.
            if let other = try stored(), other.user == refused.user,
                other.session.accessToken != refused.session.accessToken
            {
                return other
            }
            try vault.forget(refused)
            throw error
        }
        return try await renewed(after: refused)
    }

    /// Returns the successor of an outdated session, which is one of the same account. Concurrent callers share one
    /// renewal.
    func renewed(after outdated: StoredSession) async throws(PhotolalaError) -> StoredSession {
        let task: Task<Result<StoredSession, PhotolalaError>, Never>
        if let renewal, renewal.of.continues(outdated) {
            task = renewal.task
        } else {
            // Not a child task: once the refresh token is used, its successor must be stored even if the caller is
            // cancelled.
            task = Task { await self.renew(outdated) }
            renewal = (outdated, task)
        }
        let result = await task.value
        if renewal?.task == task { renewal = nil }
        return try result.get()
    }

    /// Requests the successor, again if its response is lost, while the server returns the same one: a lost response has
    /// no effect. Each attempt has the lease and reads what is stored, which another process may have renewed.
    private func renew(_ outdated: StoredSession) async -> Result<StoredSession, PhotolalaError> {
        var (token, tries, start) = ("", 0, now())
        while true {
            do throws(PhotolalaError) {
                return .success(
                    try await withRenewalLease(for: RenewalLease.renewalDuration, usesRefreshToken: true) {
                        (lease) throws(PhotolalaError) in
                        guard let stored = try stored(), stored.user == outdated.user else { throw .notSignedIn }
                        let isRenewed = stored.session.accessToken != outdated.session.accessToken
                        if isRenewed && isValid(stored) { return stored }
                        if stored.session.refreshToken != token {
                            (token, tries, start) = (stored.session.refreshToken, 0, lease.startedAt)
                        }
                        tries += 1
                        return try await exchange(stored)
                    })
            } catch {
                let wait = error.retryAfter ?? 0
                guard [.noResponse, .temporarilyUnavailable].contains(error.code), tries < 3,
                    now().timeIntervalSince(start) + Double(wait) < Self.grace
                else { return .failure(error) }
                if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
            }
        }
    }

    /// Uses the refresh token and stores its successor before it can be used.
    private func exchange(_ stored: StoredSession) async throws(PhotolalaError) -> StoredSession {
        do throws(PhotolalaError) {
            let response = try await connection.send(
                .refresh, body: RefreshRequest(refreshToken: stored.session.refreshToken), signer: signer(stored.key),
                within: RenewalLease.attemptTimeout)
            return try store(response.value.session, after: stored)
        } catch {
            if error.code == .sessionEnded { try vault.forget(stored) }
            throw error
        }
    }

    /// Stores the next tokens of a session. An earlier sign-out or new sign-in takes precedence.
    func store(_ session: Session, after old: StoredSession) throws(PhotolalaError) -> StoredSession {
        if let next = try vault.replace(old, with: old.renewed(session)) { return next }
        guard let other = try stored(), other.user == old.user else { throw .notSignedIn }
        return other
    }

    private func isValid(_ stored: StoredSession) -> Bool {
        stored.session.accessTokenExpiresAt.timeIntervalSince(now()) > Self.margin
    }
}
