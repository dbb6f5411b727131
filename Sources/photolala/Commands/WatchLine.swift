import PhotolalaClient

/// An event of a continuous sync, printed as a line of JSON or as text.
struct WatchLine: Encodable {
    enum Event: String, Encodable {
        case synced, offline, online
        case underWay = "under_way"
        case watchesOnlyPart = "watches_only_part"
    }

    let event: Event
    let report: SyncReport?
    /// The code of the error of `offline`.
    let code: ErrorCode?
    let detail: String?
    let cause: FailureCause?

    init(_ syncEvent: SyncWatchEvent) {
        switch syncEvent {
        case .synced(let report): (event, self.report, code, detail, cause) = (.synced, report, nil, nil, nil)
        case .offline(let error):
            (event, report, code, detail, cause) = (.offline, nil, error.code, error.detail, error.cause)
        case .online: (event, report, code, detail, cause) = (.online, nil, nil, nil, nil)
        case .underWay: (event, report, code, detail, cause) = (.underWay, nil, nil, nil, nil)
        case .watchesOnlyPart: (event, report, code, detail, cause) = (.watchesOnlyPart, nil, nil, nil, nil)
        }
    }

    func show(isJSON: Bool) throws {
        if isJSON { return try Terminal.writeJSON(self) }
        if let report { return try Terminal.writeResult(SyncResult(report: report).text) }
        Terminal.writeNotice(text)
    }

    private var text: String {
        switch event {
        case .synced: ""
        case .offline: "\(Terminal.sanitized(detail ?? "")) Retrying."
        case .online: "Connection restored."
        case .underWay: "Another sync of this folder is in progress. Retrying."
        case .watchesOnlyPart:
            "Watch limit reached (fs.inotify.max_user_watches). Scanning the whole folder once a minute instead."
        }
    }
}
