import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Monitoring
import Operators
import PhotolalaAPI
import Subscriptions
import UseCases

/// The routes of the operator API below `/api`. Every call needs a key whose role permits it, and a reason, and is
/// recorded before it is carried out.
struct OperatorAPI: Sendable {
    let services: OperatorServices
    let jobs: JobOverview

    /// The operator's reason for a call.
    static let reasonHeader = "Photolala-Reason"
    /// The most characters of a job's name or a day that are recorded.
    private static let longestAbout = 32

    func mount(on router: Router<OperatorContext>) {
        let api = router.group("/api")
        mountReading(on: api)
        mountSupport(on: api)
        mountMoves(on: api)
        mountSharedLinks(on: api)
        mountAdministration(on: api)
    }

    /// Mounts a route. The path's `user` is the account that the call is about.
    func on(
        _ api: RouterGroup<OperatorContext>, _ method: HTTPRequest.Method, _ path: RouterPath,
        _ action: OperatorAction,
        _ act: @escaping @Sendable (OperatorRequest, OperatorReason) async throws -> Response
    ) {
        api.on(path, method: method) { [services] request, context in
            let key = try await services.calls.authenticate(Self.bearer(request))
            let user = try OperatorRequest.account(context)
            let about = context.parameters.get("job") ?? request.uri.queryParameters["day"].map { String($0) }
            let reason = try await services.calls.begin(
                action, by: key, on: user, about: about.map { String($0.prefix(Self.longestAbout)) },
                reason: HTTPField.Name(Self.reasonHeader).flatMap { request.headers[$0] })
            return try await act(OperatorRequest(request: request, context: context, key: key), reason)
        }
    }

    private func mountReading(on api: RouterGroup<OperatorContext>) {
        on(api, .post, "auth/lookup", .findIdentity) { call, reason in
            guard let account = try await services.lookup.account(try await call.body(LookupBody.self).query()) else {
                throw OperatorFailure(.notFound, "account_not_found", "No account has this identity.")
            }
            // The log must name the account that the answer shows.
            try await services.calls.begin(
                .showAccount, by: call.key, on: account.serviceUserID, reason: reason.text)
            return try OperatorAnswer.json(try await services.inspection.report(on: account))
        }
        on(api, .get, "accounts", .listAccounts) { call, _ in
            let limit = try call.number("limit", in: 1...AccountInspection.maximumPage, absent: 50)
            return try OperatorAnswer.json(
                try await services.inspection.accounts(after: try call.account("after"), limit: limit))
        }
        on(api, .get, "/accounts/:user", .showAccount) { call, _ in
            guard let report = try await services.inspection.report(on: try call.account()) else {
                throw OperatorFailure.notFound
            }
            return try OperatorAnswer.json(report)
        }
        on(api, .get, "/accounts/:user/history", .showHistory) { call, _ in
            let limit = try call.number("limit", in: 1...AccountInspection.maximumHistoryPage, absent: 50)
            let before = try call.number("before", in: 1...Int.max, absent: .max)
            guard
                let history = try await services.inspection.history(
                    of: try call.account(), before: before == .max ? nil : before, limit: limit)
            else { throw OperatorFailure.notFound }
            return try OperatorAnswer.json(history)
        }
        on(api, .get, "/accounts/:user/subscriptions", .showSubscriptions) { call, _ in
            guard let report = try await services.inspection.report(on: try call.account()) else {
                throw OperatorFailure.notFound
            }
            var records: [SubscriptionView] = []
            for name in report.subscriptions {
                guard let id = SubscriptionID(listed: name), let record = try await services.subscriptions.record(id)
                else {
                    continue
                }
                records.append(SubscriptionView(record))
            }
            return try OperatorAnswer.json(["subscriptions": records])
        }
        on(api, .get, "jobs", .listJobs) { _, _ in
            try OperatorAnswer.json(["jobs": try await jobs.jobs()])
        }
    }

    private func mountSupport(on api: RouterGroup<OperatorContext>) {
        on(api, .delete, "/accounts/:user/sessions", .endSessions) { call, reason in
            try await services.support.endSessions(of: try call.account(), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .put, "/accounts/:user/disabled", .disableAccount) { call, reason in
            try await services.support.disable(try call.account(), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .delete, "/accounts/:user/disabled", .enableAccount) { call, reason in
            try await services.support.enable(try call.account(), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .post, "/accounts/:user/usage-count", .countUsage) { call, _ in
            let count = try await services.usage.countNow(try call.account())
            return try OperatorAnswer.json(
                UsageCount(storedBytes: count.bytes, objects: count.objects, countedAt: count.countedAt))
        }
    }

    private func mountAdministration(on api: RouterGroup<OperatorContext>) {
        on(api, .put, "/accounts/:user/deletion", .scheduleDeletion) { call, reason in
            let deletion = try await services.support.scheduleDeletion(of: try call.account(), reason: reason)
            return try OperatorAnswer.json(
                ScheduledDeletionAnswer(erasesAt: deletion.erasesAt, receiptCode: deletion.receiptCode))
        }
        on(api, .delete, "/accounts/:user/deletion", .cancelDeletion) { call, reason in
            try await services.support.cancelDeletion(of: try call.account(), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .put, "/accounts/:user/hold", .placeHold) { call, reason in
            try await services.support.placeHold(on: try call.account(), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .delete, "/accounts/:user/hold", .releaseHold) { call, reason in
            let erasesAt = try await services.support.releaseHold(of: try call.account(), reason: reason)
            return try OperatorAnswer.json(ReleasedHold(erasesAt: erasesAt))
        }
        on(api, .post, "/accounts/:user/export", .exportAccount) { call, reason in
            let user = try call.account()
            // Refusals must be answered before the archive begins.
            try await services.support.requireUsable(user)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/zip", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                    .contentDisposition: "attachment; filename=\"\(user).zip\"",
                ],
                body: ResponseBody { writer in
                    // An error closes the connection before the last chunk, so the client sees that it is not complete.
                    do {
                        _ = try await services.export.write(user, reason: reason) { try await writer.write($0) }
                    } catch {
                        call.context.logger.error(
                            .operatorCallFailed, "operator export failed", metadata: ["reason": "\(error)"])
                        throw error
                    }
                    try await writer.finish(nil)
                })
        }
        on(api, .post, "jobs/:job/runs", .startJob) { call, _ in
            guard let job = call.context.parameters.get("job").flatMap(SharedJob.init),
                jobs.jobsRun.contains(job)
            else {
                throw OperatorFailure(.notFound, "job_not_found", "There is no such job.")
            }
            switch try await jobs.start(job) {
            case .due: return Response(status: .accepted, headers: [.cacheControl: "no-store"])
            case .running(let end):
                throw OperatorFailure(
                    .conflict, "job_running",
                    "An instance runs the job, or failed while it did. Its lease ends at \(end.ISO8601Format()).")
            }
        }
        on(api, .get, "operator-log", .readLog) { call, _ in
            guard let day = call.text("day"), OperatorLog.isDay(day) else {
                throw OperatorFailure.invalid("day must have the form yyyy-mm-dd.")
            }
            let limit = try call.number("limit", in: 1...OperatorLog.maximumPage, absent: 100)
            let page = try await services.calls.log.calls(on: day, after: call.text("after"), limit: limit)
            return try OperatorAnswer.json(LogPage(calls: page.calls, unreadable: page.unreadable, next: page.next))
        }
    }

    private static func bearer(_ request: Request) -> String? {
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") else { return nil }
        return String(field.dropFirst("bearer ".count))
    }
}
