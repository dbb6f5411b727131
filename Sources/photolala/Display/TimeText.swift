/// Formats a remaining time with limited precision: `45 s`, `3 min`, `2 h 10 min`.
enum TimeText {
    static func text(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1_000_000 else { return "more than 11 days" }
        let rounded = Int(max(0, seconds).rounded(.up))
        switch rounded {
        case ..<100: return "\(rounded) s"
        case ..<5_970: return "\((rounded + 30) / 60) min"
        default:
            let minutes = (rounded + 30) / 60
            return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
        }
    }
}
