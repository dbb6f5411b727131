import Logging

/// The stable code of a log line, in its metadata as `event`. Every line from `info` on has one; a message may change,
/// its code does not. docs/operations.md lists what to do about them.
package enum LogCode: String, CaseIterable, Sendable {
    // MARK: Process

    /// The server accepts requests.
    case serverRunning = "server-running"
    /// Another process holds the lock of the data folder.
    case storeLocked = "store-locked"
    /// The clock is earlier than the first use of every signing key.
    case clockBehind = "clock-behind"
    /// A new TLS certificate is in use.
    case certificateReplaced = "certificate-replaced"
    /// A function on AWS Lambda takes invocations.
    case functionReady = "function-ready"
    /// A command waits until all servers know the state of a migration.
    case migrationWaiting = "migration-waiting"

    // MARK: Requests

    /// A request to the JSON server or the portal ended.
    case request
    /// The reason of a refusal that the answer omits.
    case requestRejected = "request-rejected"
    /// An invocation on AWS Lambda ended with an error instead of an answer.
    case invocationFailed = "invocation-failed"
    /// A request to the S3 endpoint ended; with `s3.accessLog`.
    case s3Request = "s3-request"
    /// The S3 endpoint could not serve a request.
    case s3RequestFailed = "s3-request-failed"

    // MARK: Data folder

    /// The data folder gets the current format.
    case folderUpgradeStarted = "folder-upgrade-started"
    /// The data folder has the current format.
    case folderUpgraded = "folder-upgraded"
    /// Every page of the account database is intact.
    case accountsVerified = "accounts-verified"
    /// The account database is damaged, or its verification was interrupted.
    case accountsNotVerified = "accounts-not-verified"
    /// A database was opened without its commit mark.
    case commitMarkMissing = "commit-mark-missing"
    /// A commit mark could not be written.
    case commitMarkFailed = "commit-mark-failed"
    /// A file has another date but its recorded content.
    case objectTouched = "object-touched"
    /// A file is missing or has another content than recorded.
    case objectDamaged = "object-damaged"
    /// An uploaded object could not be moved to its place; it is read where it is.
    case objectStaged = "object-staged"
    /// The file of a deleted object could not be removed.
    case objectNotRemoved = "object-not-removed"
    /// The scrub found a damaged or missing object or page.
    case scrubDamage = "scrub-damage"
    /// The scrub has read everything.
    case scrubCompleted = "scrub-completed"
    /// Free space is below the reserve: uploads are refused.
    case diskNearlyFull = "disk-nearly-full"
    /// Uploads are accepted again.
    case diskRecovered = "disk-recovered"
    /// The ballast was deleted to keep accounts writable.
    case diskFull = "disk-full"
    /// The ballast could not be created.
    case ballastMissing = "ballast-missing"

    // MARK: Jobs

    /// A job succeeded.
    case jobSucceeded = "job-succeeded"
    /// The collector did not accept spans, which are dropped.
    case tracesNotExported = "traces-not-exported"
    /// The collector accepts spans again.
    case tracesExportedAgain = "traces-exported-again"
    /// A call of the operator API, or a page of its console, failed.
    case operatorCallFailed = "operator-call-failed"
    /// An operator's key does not permit what was called.
    case operatorCallRefused = "operator-call-refused"
    /// An operator presented a key that is unknown, has ended or is wrong.
    case operatorKeyRejected = "operator-key-rejected"
    /// A job failed; it is repeated after its interval.
    case jobFailed = "job-failed"
    /// A job has not succeeded for three intervals.
    case jobOverdue = "job-overdue"
    /// An overdue job succeeded.
    case jobOnTime = "job-on-time"
    /// A job failed for one account and continued with the others.
    case jobFailedForAccount = "job-failed-for-account"
    /// The first count of an account's storage failed.
    case initialCountFailed = "initial-count-failed"
    /// A count of an account's storage could not be stored.
    case usageNotStored = "usage-not-stored"
    /// Another instance's counts of calls are damaged or sealed under an unknown key.
    case callCountsUnreadable = "call-counts-unreadable"

    // MARK: Accounts

    /// An account was erased.
    case accountDeleted = "account-deleted"
    /// An account's erasure failed; it is repeated.
    case deletionFailed = "deletion-failed"
    /// An account's erasure waits for another system.
    case deletionWaiting = "deletion-waiting"
    /// No account is erased before the legacy import is confirmed.
    case deletionsBlocked = "deletions-blocked"
    /// A restored backup brought a deleted account back; it is erased again.
    case deletedAccountReturned = "deleted-account-returned"
    /// Devices over the account's limit could not be removed.
    case deviceLimitFailed = "device-limit-failed"
    /// The cache of an account's devices could not be stored.
    case deviceListNotStored = "device-list-not-stored"
    /// A sign-in could not end the browser's previous session.
    case previousSessionNotEnded = "previous-session-not-ended"
    /// A sign-in showed which providers the address has an account with.
    case hintReturned = "hint-returned"
    /// A hint was withheld: too many for this address.
    case hintWithheld = "hint-withheld"
    /// A stored hint is damaged or sealed under an unknown key.
    case hintUnreadable = "hint-unreadable"

    // MARK: Events to the operator's webhook, and security e-mails

    /// The receiver, or the mail server, accepted an event.
    case eventSent = "event-sent"
    /// The receiver, or the mail server, rejected an event; an error from the fifth time on.
    case eventRejected = "event-rejected"
    /// The delivery of an account's events failed; it is repeated.
    case eventPostponed = "event-postponed"
    /// An event could not be marked for delivery; the daily job finds it.
    case eventNotMarked = "event-not-marked"
    /// The record of an account's pending events is unreadable.
    case eventsUnreadable = "events-unreadable"
    /// A security e-mail was not sent to an address, or not at all.
    case mailNotSent = "mail-not-sent"
    /// Entries of an audit log are lost, with their events.
    case auditEntriesLost = "audit-entries-lost"

    // MARK: Providers and App Store

    /// A provider reported something about a person.
    case providerEvent = "provider-event"
    /// A provider's public keys could not be fetched.
    case providerKeysFailed = "provider-keys-failed"
    /// Facebook does not know the app id or secret.
    case facebookRefused = "facebook-refused"
    /// A call to a provider failed; it is repeated.
    case providerCallFailed = "provider-call-failed"
    /// A call to a provider was given up after seven days.
    case providerCallExpired = "provider-call-expired"
    /// A completed call to a provider could not be deleted.
    case providerCallNotDeleted = "provider-call-not-deleted"
    /// A provider refused an authorization code: it was used or is too old.
    case providerCodeRefused = "provider-code-refused"
    /// An authorization code was issued to another identity.
    case providerCodeMisused = "provider-code-misused"
    /// A provider's token or code could not be stored.
    case providerTokenNotStored = "provider-token-not-stored"
    /// A move of an identity was interrupted, and could not be finished yet.
    case moveUnfinished = "move-unfinished"
    /// Apple reported a change of a subscription.
    case appStoreNotification = "app-store-notification"
    /// Missed notifications could not be requested or processed.
    case missedNotificationsFailed = "missed-notifications-failed"
    /// A missed notification is not signed by Apple, or malformed.
    case notificationInvalid = "notification-invalid"
    /// A purchased product is not in `subscriptions.products`.
    case productUnknown = "product-unknown"
    /// Apple did not answer about a subscription.
    case subscriptionStatusFailed = "subscription-status-failed"
    /// Apple did not store the account of a subscription.
    case subscriptionTokenFailed = "subscription-token-failed"
}

extension Logger {
    /// Logs a line with its code. Evaluates message and metadata only if the level is logged.
    package func log(
        level: Level, _ code: LogCode, _ message: @autoclosure () -> Message,
        metadata: @autoclosure () -> Metadata = [:],
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(
            level: level, message(), metadata: Self.metadata(metadata(), code), file: file, function: function,
            line: line)
    }

    /// Logs a line at `error` with its code.
    package func error(
        _ code: LogCode, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .error, code, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs a line at `warning` with its code.
    package func warning(
        _ code: LogCode, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .warning, code, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs a line at `notice` with its code.
    package func notice(
        _ code: LogCode, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .notice, code, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    /// Logs a line at `info` with its code.
    package func info(
        _ code: LogCode, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: .info, code, message(), metadata: metadata(), file: file, function: function, line: line)
    }

    private static func metadata(_ given: Metadata, _ code: LogCode) -> Metadata {
        var metadata = given
        metadata["event"] = .string(code.rawValue)
        return metadata
    }
}
