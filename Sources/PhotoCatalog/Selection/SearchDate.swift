/// A date as people type it in a search: a year, month or day, or a month or day of every year.
enum SearchDate: Sendable, Equatable {
    /// The local time from a moment to the exclusive end.
    case period(Range<Timestamp>)
    /// 1 to 12.
    case month(Int)
    /// 1 to 31.
    case day(Int)
    /// A day of every year.
    case dayOfMonth(month: Int, day: Int)

    /// The separators between the numbers of a date. The Japanese and Korean words for year, month and day follow theirs.
    private static let separators = Set("-./年月日년월일")

    /// Parses `2019`, `2019-05`, `2019/5/17`, `17.5.2019`, `5/2019`, `2019年5月17日`, `5月`, `5月17日` and `17日`, the last four also
    /// in Korean. Returns `nil` for any other text, and for a day that does not exist. `5/6/2019` is ambiguous and not a
    /// date.
    init?(_ text: some StringProtocol) {
        let numbers = text.split(whereSeparator: Self.separators.contains)
        let signs = String(text.filter(Self.separators.contains))
        let parts = numbers.compactMap { Int($0) }
        guard (1...3).contains(parts.count), parts.count == numbers.count, signs.count <= 3,
            text.allSatisfy({ $0.isASCII && $0.isNumber || Self.separators.contains($0) }), text.first?.isNumber == true
        else { return nil }
        let (isYearFirst, isYearLast) = (numbers[0].count == 4, numbers[numbers.count - 1].count == 4)
        switch (parts.count, signs) {
        case (1, "月"), (1, "월"): self.init(month: parts[0])
        case (1, "日"), (1, "일"): self.init(day: parts[0])
        case (2, "月日"), (2, "월일"):
            guard (1...12).contains(parts[0]), (1...31).contains(parts[1]) else { return nil }
            self = .dayOfMonth(month: parts[0], day: parts[1])
        case _ where isYearFirst && (parts.count == 1 || !isYearLast): self.init(parts)
        case (2, _) where isYearLast && !isYearFirst, (3, "..") where isYearLast && !isYearFirst:
            self.init(parts.reversed())
        default: return nil
        }
    }

    init?(month: Int) {
        guard (1...12).contains(month) else { return nil }
        self = .month(month)
    }

    init?(day: Int) {
        guard (1...31).contains(day) else { return nil }
        self = .day(day)
    }

    /// - Parameter parts: The year, and possibly the month and the day. The first photograph is of 1826.
    private init?(_ parts: [Int]) {
        let (year, month, day) = (parts[0], parts.dropFirst().first, parts.dropFirst(2).first)
        guard (1826...9998).contains(year),
            let start = Timestamp(year: year, month: month ?? 1, day: day ?? 1, hour: 0, minute: 0, second: 0)
        else { return nil }
        if day != nil {
            self = .period(start..<Timestamp(seconds: start.seconds + 86_400, nanoseconds: 0))
            return
        }
        let next = month.map { $0 == 12 ? (year + 1, 1) : (year, $0 + 1) } ?? (year + 1, 1)
        guard let end = Timestamp(year: next.0, month: next.1, day: 1, hour: 0, minute: 0, second: 0) else {
            return nil
        }
        self = .period(start..<end)
    }

    func contains(_ date: Timestamp) -> Bool {
        switch self {
        case .period(let period): period.contains(date)
        case .month(let month): date.calendarTime.month == month
        case .day(let day): date.calendarTime.day == day
        case .dayOfMonth(let month, let day): (date.calendarTime.month, date.calendarTime.day) == (month, day)
        }
    }
}
