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
    let detail: String?

    init(_ round: SyncWatchEvent) {
        switch round {
        case .synced(let report): (event, self.report, detail) = (.synced, report, nil)
        case .offline(let words): (event, report, detail) = (.offline, nil, words)
        case .online: (event, report, detail) = (.online, nil, nil)
        case .underWay: (event, report, detail) = (.underWay, nil, nil)
        case .watchesOnlyPart: (event, report, detail) = (.watchesOnlyPart, nil, nil)
        }
    }

    func show(isJSON: Bool) {
        if isJSON { return (try? Terminal.writeJSONLine(self)) ?? () }
        if let report { return Terminal.writeResult(SyncResult(report: report).text) }
        Terminal.writeNotice("photolala: " + text)
    }

    private var text: String {
        switch event {
        case .synced: ""
        case .offline: "\(Terminal.sanitized(detail ?? "")) Trying again until it works."
        case .online: "It works again."
        case .underWay: "Another sync of the folder is under way. Trying again until it is over."
        case .watchesOnlyPart:
            "This system watches no more folders (fs.inotify.max_user_watches): all of them are looked at once a minute."
        }
    }
}
