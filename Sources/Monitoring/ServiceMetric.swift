/// The metrics of the service. No label names a person, an account or a device.
package enum ServiceMetric {
    package static let requestDuration = MetricDefinition(
        "http_server_request_duration_seconds", .duration, labels: ["route", "method", "status"],
        help: "Duration of requests to the JSON API and the portal, until the response begins.")
    package static let s3RequestDuration = MetricDefinition(
        "photolala_s3_request_duration_seconds", .duration, labels: ["method", "status"],
        help: "Duration of requests to the S3 endpoint, until the response begins: that of an upload includes its body."
    )
    package static let signIns = MetricDefinition(
        "photolala_sign_ins_total", .counter, labels: ["provider", "outcome"], help: "Attempts to sign in or sign up.")
    package static let accountsCreated = MetricDefinition(
        "photolala_accounts_created_total", .counter, labels: ["provider"], help: "Accounts that were created.")
    package static let identityConflicts = MetricDefinition(
        "photolala_identity_conflicts_total", .counter,
        help: "Sign-ups and links that were refused because another account has the identity.")
    package static let links = MetricDefinition(
        "photolala_links_total", .counter, labels: ["provider", "outcome"], help: "Attempts to link an identity.")
    package static let refreshReuse = MetricDefinition(
        "photolala_refresh_reuse_total", .counter, help: "Sessions that ended because a used refresh token came back.")
    package static let rateLimited = MetricDefinition(
        "photolala_rate_limited_total", .counter, labels: ["limit"], help: "Calls that a rate limit refused.")
    package static let providerRequest = MetricDefinition(
        "photolala_provider_request_seconds", .duration, labels: ["provider", "call", "outcome"],
        help: "Duration of requests to identity providers.")
    package static let storeRequest = MetricDefinition(
        "photolala_store_request_seconds", .duration, labels: ["operation", "outcome"],
        help: "Duration of the service's requests to its object store.")
    package static let storeConflicts = MetricDefinition(
        "photolala_store_conflicts_total", .counter, help: "Conditional writes whose condition did not hold.")
    package static let tokenServiceRequest = MetricDefinition(
        "photolala_sts_request_seconds", .duration, labels: ["outcome"],
        help: "Duration of requests for storage credentials.")
    package static let credentialsIssued = MetricDefinition(
        "photolala_credentials_issued_total", .counter, labels: ["access"],
        help: "Storage credentials that were issued, by access level.")
    package static let quotaRefusals = MetricDefinition(
        "photolala_quota_refusals_total", .counter, help: "Uploads that were refused because of the quota.")
    package static let uploadedBytes = MetricDefinition(
        "photolala_upload_bytes_total", .counter, help: "Bytes that the S3 endpoint stored.")
    package static let downloadedBytes = MetricDefinition(
        "photolala_download_bytes_total", .counter, help: "Bytes of objects that the S3 endpoint sent completely.")
    package static let downloadDuration = MetricDefinition(
        "photolala_download_seconds", .duration,
        help: "Duration of sending an object from the S3 endpoint, from the first byte to the last.")
    package static let jobLastSuccess = MetricDefinition(
        "photolala_job_last_success_timestamp_seconds", .gauge, labels: ["job"],
        help: "When a job last succeeded on any instance or, if that is unknown, was first started.")
    package static let jobInterval = MetricDefinition(
        "photolala_job_interval_seconds", .gauge, labels: ["job"], help: "The expected time between successes of a job."
    )
    package static let jobDuration = MetricDefinition(
        "photolala_job_duration_seconds", .jobDuration, labels: ["job"], help: "Duration of successful runs of a job.")
    package static let oldestEvent = MetricDefinition(
        "photolala_webhook_oldest_seconds", .gauge,
        help: "For how long this instance has known the oldest account with unsent events; 0 without one.")
    package static let oldestMail = MetricDefinition(
        "photolala_mail_oldest_seconds", .gauge,
        help: "For how long this instance has known the oldest account with unsent security e-mails; 0 without one.")
    package static let overdueDeletions = MetricDefinition(
        "photolala_deletions_overdue", .gauge,
        help: "Deletions of accounts that are not complete 8 days after their date.")
    package static let certificateEnd = MetricDefinition(
        "photolala_certificate_expires_timestamp_seconds", .gauge, help: "When the TLS certificate expires.")
    package static let accounts = MetricDefinition(
        "photolala_accounts", .gauge, labels: ["tier"], help: "Accounts at the last count of all.")
    package static let linkedProviders = MetricDefinition(
        "photolala_accounts_linked_providers", .gauge, labels: ["count"],
        help: "Accounts by their number of linked identities, at the last count of all.")
    package static let storedBytes = MetricDefinition(
        "photolala_stored_bytes", .gauge, labels: ["tier"], help: "Stored bytes at the last count of all.")
    package static let usageDriftAccounts = MetricDefinition(
        "photolala_usage_drift_accounts", .gauge,
        help: "Accounts whose recount differed without a recorded change, in the last run.")
    package static let usageDriftBytes = MetricDefinition(
        "photolala_usage_drift_bytes", .gauge,
        help: "Sum of the differences found by recounts without a recorded change, in the last run.")
    package static let traceSpans = MetricDefinition(
        "photolala_trace_spans_total", .counter, labels: ["outcome"],
        help: "Recorded spans that were sent to the collector, dropped before, or rejected by it.")
    package static let legacyImportObjects = MetricDefinition(
        "photolala_legacy_import_objects", .gauge, labels: ["state"],
        help: "Objects of the last legacy import with a metrics file, by state.")

    /// All metrics.
    package static let all = [
        requestDuration, s3RequestDuration, signIns, accountsCreated, identityConflicts, links, refreshReuse,
        rateLimited, providerRequest,
        storeRequest, storeConflicts, tokenServiceRequest, credentialsIssued, quotaRefusals, uploadedBytes,
        downloadedBytes, downloadDuration,
        jobLastSuccess, jobInterval, jobDuration, oldestEvent, oldestMail,
        overdueDeletions, certificateEnd, accounts,
        linkedProviders, storedBytes, usageDriftAccounts, usageDriftBytes, traceSpans, legacyImportObjects,
    ]
}
